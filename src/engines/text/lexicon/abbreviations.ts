/** What an abbreviation stands for, and where it may be read so. */
export interface Abbreviation {
  readonly to: string;
  /** `name`: only before a name; `number`: only before a number; `dotted`: only when written with its dot or slash. */
  readonly when?: 'name' | 'number' | 'dotted';
  /** With its dot also before a small letter: `apt. for rent`. */
  readonly inside?: true;
}

/** Arabic titles before a name, written with a dot or slash: masculine, feminine, without the article (after يا). */
export const ARABIC_TITLES: ReadonlyMap<string, readonly [string, string, string, string]> = new Map<
  string,
  readonly [string, string, string, string]
>([
  ['د', ['الدكتور', 'الدكتورة', 'دكتور', 'دكتورة']],
  ['م', ['المهندس', 'المهندسة', 'مهندس', 'مهندسة']],
  ['أ', ['الأستاذ', 'الأستاذة', 'أستاذ', 'أستاذة']],
  ['ا', ['الأستاذ', 'الأستاذة', 'أستاذ', 'أستاذة']],
  ['أد', ['الأستاذ الدكتور', 'الأستاذة الدكتورة', 'أستاذ دكتور', 'أستاذة دكتورة']],
  ['اد', ['الأستاذ الدكتور', 'الأستاذة الدكتورة', 'أستاذ دكتور', 'أستاذة دكتورة']],
  ['أمد', ['الأستاذ المساعد الدكتور', 'الأستاذة المساعدة الدكتورة', 'أستاذ مساعد دكتور', 'أستاذة مساعدة دكتورة']],
  ['ش', ['شارع', 'شارع', 'شارع', 'شارع']],
]);

/** Arabic abbreviations by their letters without dots; those of two or more dotted letters need the dots. */
export const ARABIC_DOTTED: ReadonlyMap<string, string> = new Map([
  ['صب', 'صندوق بريد'],
  ['ست', 'سجل تجاري'],
  ['رس', 'ريال'],
  ['شمم', 'شركة مساهمة مقفلة'],
  ['شمس', 'شركة مساهمة سعودية'],
  ['ذمم', 'ذات مسؤولية محدودة'],
  ['شذمم', 'شركة ذات مسؤولية محدودة'],
  ['ضقم', 'ضريبة القيمة المضافة'],
  ['جمع', 'جمهورية مصر العربية'],
  ['قم', 'قبل الميلاد'],
  ['بم', 'بعد الميلاد'],
]);

/** Whole Arabic words that are abbreviations with or without a dot. */
export const ARABIC_WORDS: ReadonlyMap<string, string> = new Map([
  ['الخ', 'إلى آخره'],
  ['إلخ', 'إلى آخره'],
  ['كجم', 'كيلوغرام'],
  ['سم', 'سنتيمتر'],
  ['ملم', 'مليمتر'],
]);

/** One Arabic letter before a colon, dot or slash and a number. */
export const ARABIC_LABELS: ReadonlyMap<string, string> = new Map([
  ['ت', 'هاتف'],
  ['ج', 'جوال'],
  ['ف', 'فاكس'],
  ['ص', 'صفحة'],
  ['ط', 'الطابق'],
  ['س', 'الساعة'],
  ['ش', 'شارع'],
]);

/** English abbreviations in lower case without the final dot. */
export const ENGLISH_ABBREVIATIONS: ReadonlyMap<string, Abbreviation> = new Map<string, Abbreviation>([
  ['mr', { to: 'mister' }],
  ['mrs', { to: 'missus' }],
  ['ms', { to: 'miss', when: 'name' }],
  ['prof', { to: 'professor', when: 'dotted' }],
  ['eng', { to: 'engineer', when: 'dotted' }],
  ['engr', { to: 'engineer' }],
  ['capt', { to: 'captain', when: 'dotted' }],
  ['gen', { to: 'general', when: 'name' }],
  ['sgt', { to: 'sergeant' }],
  ['lt', { to: 'lieutenant', when: 'name' }],
  ['col', { to: 'colonel', when: 'name' }],
  ['gov', { to: 'governor', when: 'name' }],
  ['sen', { to: 'senator', when: 'name' }],
  ['rev', { to: 'reverend', when: 'name' }],
  ['hon', { to: 'honorable', when: 'name' }],
  ['ft', { to: 'fort', when: 'name' }],
  ['mt', { to: 'mount', when: 'name' }],
  ['maj', { to: 'major', when: 'name' }],
  ['adm', { to: 'admiral', when: 'name' }],
  ['cmdr', { to: 'commander', when: 'name' }],
  ['cpl', { to: 'corporal', when: 'name' }],
  ['pvt', { to: 'private', when: 'name' }],
  ['rep', { to: 'representative', when: 'name' }],
  ['pres', { to: 'president', when: 'name' }],
  ['supt', { to: 'superintendent', when: 'name' }],
  ['insp', { to: 'inspector', when: 'name' }],
  ['amb', { to: 'ambassador', when: 'name' }],
  ['atty', { to: 'attorney' }],
  ['univ', { to: 'university', when: 'dotted' }],
  ['ctr', { to: 'center', when: 'dotted' }],
  ['stn', { to: 'station', when: 'dotted' }],
  ['pkwy', { to: 'parkway' }],
  ['ste', { to: 'suite', when: 'number' }],
  ['incl', { to: 'including' }],
  ['excl', { to: 'excluding' }],
  ['thru', { to: 'through' }],
  ['attn', { to: 'attention' }],
  ['conf', { to: 'confirmation', when: 'dotted' }],
  ['wt', { to: 'weight', when: 'dotted' }],
  ['ht', { to: 'height', when: 'dotted' }],
  ['jr', { to: 'junior' }],
  ['sr', { to: 'senior', when: 'dotted' }],
  ['ave', { to: 'avenue' }],
  ['rd', { to: 'road', when: 'dotted' }],
  ['blvd', { to: 'boulevard' }],
  ['hwy', { to: 'highway' }],
  ['ln', { to: 'lane', when: 'dotted' }],
  ['sq', { to: 'square', when: 'dotted' }],
  ['dist', { to: 'district', when: 'dotted' }],
  ['bldg', { to: 'building' }],
  ['rm', { to: 'room', when: 'number' }],
  ['apt', { to: 'apartment', when: 'number', inside: true }],
  ['flr', { to: 'floor' }],
  ['no', { to: 'number', when: 'number' }],
  ['nos', { to: 'numbers', when: 'number' }],
  ['vs', { to: 'versus' }],
  ['etc', { to: 'et cetera' }],
  ['eg', { to: 'for example', when: 'dotted' }],
  ['ie', { to: 'that is', when: 'dotted' }],
  ['cf', { to: 'compare', when: 'dotted' }],
  ['approx', { to: 'approximately' }],
  ['dept', { to: 'department' }],
  ['depts', { to: 'departments' }],
  ['bldgs', { to: 'buildings' }],
  ['appts', { to: 'appointments' }],
  ['figs', { to: 'figures', when: 'number' }],
  ['vols', { to: 'volumes', when: 'dotted' }],
  ['inc', { to: 'incorporated', when: 'dotted' }],
  ['ltd', { to: 'limited' }],
  ['co', { to: 'company', when: 'dotted' }],
  ['corp', { to: 'corporation', when: 'dotted' }],
  ['bros', { to: 'brothers', when: 'dotted' }],
  ['est', { to: 'estimated', when: 'dotted' }],
  ['ext', { to: 'extension' }],
  ['tel', { to: 'telephone' }],
  ['fax', { to: 'fax' }],
  ['mob', { to: 'mobile', when: 'dotted' }],
  ['min', { to: 'minimum', when: 'dotted' }],
  ['max', { to: 'maximum', when: 'dotted' }],
  ['pct', { to: 'percent' }],
  ['avg', { to: 'average' }],
  ['temp', { to: 'temperature', when: 'dotted' }],
  ['qty', { to: 'quantity' }],
  ['amt', { to: 'amount' }],
  ['acct', { to: 'account' }],
  ['accts', { to: 'accounts' }],
  ['ref', { to: 'reference', when: 'dotted' }],
  ['pls', { to: 'please' }],
  ['plz', { to: 'please' }],
  ['thx', { to: 'thanks' }],
  ['mgr', { to: 'manager' }],
  ['asst', { to: 'assistant' }],
  ['govt', { to: 'government' }],
  ['intl', { to: 'international' }],
  ['mfg', { to: 'manufacturing' }],
  ['misc', { to: 'miscellaneous' }],
  ['appt', { to: 'appointment' }],
  ['hrs', { to: 'hours' }],
  ['hr', { to: 'hour', when: 'dotted' }],
  ['mins', { to: 'minutes' }],
  ['pts', { to: 'points' }],
  ['para', { to: 'paragraph', when: 'number' }],
  ['blk', { to: 'block', when: 'number' }],
  ['fl', { to: 'floor', when: 'dotted' }],
  ['fig', { to: 'figure', when: 'number' }],
  ['vol', { to: 'volume', when: 'number' }],
  ['ch', { to: 'chapter', when: 'number' }],
  ['sec', { to: 'section', when: 'number' }],
  ['pp', { to: 'pages', when: 'number' }],
  ['pg', { to: 'page', when: 'number' }],
  ['p', { to: 'page', when: 'number' }],
  ['w/', { to: 'with' }],
  ['w/o', { to: 'without' }],
  ['c/o', { to: 'care of' }],
  ['n/a', { to: 'not applicable' }],
  ['a/c', { to: 'air conditioning' }],
]);

/** Given names of women that show no feminine ending, and men's names that do. */
export const FEMALE_NAMES =
  'مريم زينب هند نوف ريم أمل سعاد سهام غدير عبير حنان إيمان نورهان رهف شهد جواهر منال ابتسام إلهام انتصار ريناد رغد هيفاء لجين بشاير وجدان أروى سحر نجود دانة دلال سمر هديل وعد نور أفنان أسيل';
export const MALE_NAMES_LIKE_FEMALE =
  'حمزة أسامة طلحة معاوية عبيدة خليفة عطية قتيبة حذيفة جمعة عكرمة عروة رفاعة سلامة ثعلبة حمادة موسى عيسى يحيى مصطفى مرتضى مجتبى علاء بهاء ضياء براء زكرياء رجاء لؤى';
