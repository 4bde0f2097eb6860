import { arabicStem, rootsOf } from '../../../language/arabic-stem.ts';
import { stemOfAnySpelling } from '../../../language/english-stem.ts';
import { fold } from '../../../language/fold.ts';
import { SYNONYMS } from './synonyms.ts';
import { ARABIC_SYNONYMS } from './synonyms-arabic.ts';
import { ARABIC_THINGS } from './synonyms-arabic-things.ts';
import { ENGLISH_SYNONYMS } from './synonyms-english.ts';
import { ENGLISH_MORE } from './synonyms-english-more.ts';
import { ENGLISH_PLACES } from './synonyms-english-places.ts';
import { ENGLISH_WORLD } from './synonyms-english-world.ts';
import { MORE_SYNONYMS } from './synonyms-more.ts';
import { PEOPLES } from './synonyms-peoples.ts';

/**
 * Words of policies, contracts and price lists that stand for each other. The first word of a row names the concept.
 * Kept narrow: a wrong pair here makes the service answer what the document does not say.
 */
const ROWS: readonly string[] = [
  'price cost fee charge cost costs fees charges prices rate tariff سعر اسعار تكلفه تكاليف رسوم رسم ثمن كلفه اجره تعرفه قيمه بكم',
  'pay payment payable paid paying settle دفع يدفع تدفع سداد تسدد يسدد مدفوع مدفوعه',
  'salary wage wages pay-rate remuneration راتب رواتب اجر اجور مرتب',
  'leave vacation holiday holidays time-off اجازه اجازات الاجازه عطله عطل',
  'employee employees staff worker workers personnel موظف موظفين الموظفون الموظفه عامل عمال عاملين العاملون',
  'employer company firm صاحب-العمل الشركه المنشاه',
  'refund reimburse reimbursement money-back استرداد استعاده',
  'return returned returns returning ارجاع استرجاع ترجيع ارجع يرجع اعاده مرتجع',
  'exchange swap replace replacement replaced استبدال تبديل يستبدل ابدل',
  'begin start starts started commence commences commencing beginning يبدا تبدا بدايه بدء ابتداء بدات',
  'end finish expire expires expiry finishes ends terminate termination ينتهي تنتهي نهايه انتهاء انهاء',
  'phone telephone mobile call hotline هاتف جوال تلفون الهاتف اتصال اتصل الاتصال الجوال تليفون',
  'email e-mail mail ايميل بريد الايميل',
  'doctor physician doctors dr medical طبيب دكتور اطباء الدكتور الطبيب',
  'child kid children kids طفل اطفال الاطفال',
  'pupil student students pupils طالب طلاب الطلاب طالبات طالبه تلميذ تلاميذ',
  'teacher instructor معلم معلمه مدرس معلمين',
  'tenant renter lessee مستاجر المستاجر',
  'landlord lessor owner-of-property مؤجر الموجر موجر المالك مالك',
  'rent rental lease ايجار الايجار اجار تاجير استيجار لاستيجار اجره',
  'allow allowed permit permitted permission may-i مسموح يسمح يجوز السماح يحق مسموحه',
  'forbid forbidden prohibited prohibit banned ban refuse refused ممنوع يمنع محظور يحظر ممنوعه تمنع',
  'require required requires requirement mandatory must need needed needs necessary مطلوب مطلوبه يلزم يجب لازم يتطلب يشترط المطلوبه الزامي احتاج تحتاج محتاج',
  'document documents paper papers paperwork مستند مستندات وثيقه وثائق اوراق',
  'deadline due latest اخر-موعد الموعد-النهائي',
  'minimum least min ادني اقل الادني',
  'maximum most max limit limits اقصي اعلي الاقصي',
  'location located situated address موقع مقر عنوان يقع تقع العنوان الموقع',
  'open opens opening opened يفتح تفتح مفتوح تفتحون فتح يفتحون',
  'close closes closed closing يغلق تغلق مغلق اغلاق يقفل تقفل تسكر',
  'appointment appointments booking موعد مواعيد حجز',
  'cancel cancellation cancelled canceled cancels cancelling الغاء يلغي الغي تلغي ملغي',
  'penalty fine fines penalties غرامه غرامات عقوبه مخالفه جزاء',
  'discount reduction خصم تخفيض خصومات تخفيضات',
  'deliver delivery shipping shipment ship delivered shipped توصيل شحن الشحن التوصيل يوصل',
  'warranty guarantee guaranteed ضمان كفاله الضمان',
  'duration period length term مده فتره المده',
  'manager supervisor مدير المدير',
  'buy purchase bought purchased sell sold sale شراء يشتري مشتريات اشتري',
  'use usage used using استخدام استعمال يستخدم تستخدم',
  'monthly month months شهري شهريا شهر اشهر شهور الشهري',
  'annual yearly year years annually per-year سنوي سنويا سنه سنوات عام السنوي سنتين عامين اعوام',
  'daily day days يومي يوميا يوم ايام يومين',
  'weekly week weeks اسبوعي اسبوعيا اسبوع اسابيع اسبوعين',
  'hour hours ساعه ساعات ساعتين',
  'notice notify notification inform informed اشعار اخطار ابلاغ تبليغ يبلغ اعلام',
  'notice-period مهله',
  'repair maintenance fix maintain صيانه اصلاح تصليح',
  'damage damaged defective defect faulty broken تالف عيب معيب ضرر اضرار تلف',
  'apply application applies request requested طلب تقديم يقدم الطلب تقدم التقديم',
  'insurance insured insurer تامين التامين',
  'responsible responsibility liable مسؤول مسووليه يتحمل مسئول مسوول المسوول تتحمل',
  'approve approval approved consent agree موافقه يوافق اعتماد الموافقه',
  'loan financing finance credit قرض تمويل القرض',
  'transfer remittance تحويل حواله',
  'withdraw withdrawal سحب السحب',
  'deposit deposits تامين-نقدي ايداع وديعه عربون',
  'profit return-rate interest ربح ارباح فائده عائد',
  'size capacity سعه حجم',
  'area space مساحه',
  'cause caused reason reasons سبب اسباب تسبب',
  'temperature degrees degree celsius حراره درجه درجات',
  'share percent percentage proportion نسبه بالميه',
  'kilometre kilometres km kilometers mileage كيلو كيلومتر كيلومترا كيلومترات',
  'language languages لغه لغات',
  'admission entry entrance ticket tickets تذكره تذاكر دخول',
  'weight weigh weighs heavy heavier kg وزن يزن كجم كيلوغرام كيلوغرامات كيلوجرام',
  'height high tall metres ارتفاع ترتفع يرتفع',
  'noise loud decibels',
  'big large biggest largest bigger larger اكبر كبير كبيره',
  'complaint complain complaints شكوي شكاوي الشكوي الشكاوي',
  'overdue late delay delayed تاخر تاخير متاخر',
  'sibling siblings brother sister',
  'answer-reply reply respond response يرد الرد يردون ردود',
  'clean cleaning تنظيف نظافه',
  'patient patients مريض مرضي المرضي المراجع',
  'parent parents guardian guardians ولي-امر والدين والد اولياء',
  'bus transport transportation باص حافله نقل حافلات مواصلات',
  'uniform dress-code زي الزي',
  'exam exams test tests examination اختبار اختبارات امتحان امتحانات',
  'absence absent غياب يغيب غائب تغيب',
  'pregnant maternity birth born baby وضع امومه ولاده الوضع',
  'sick illness sickness ill مرضيه مرض مرضي-اجازه',
  'marriage wedding marry married marries marrying زواج الزواج',
  'death died dead deceased bereavement وفاه توفي متوفي توفيت موت مات',
  'hajj pilgrimage حج الحج',
  'overtime extra-hours اضافي الاضافي اضافيه الاضافيه',
  'probation trial تجربه التجربه',
  'resign resignation quit استقاله يستقيل',
  'invoice receipt bill فاتوره ايصال الفاتوره فواتير',
  'card cards بطاقه بطاقات',
  'account accounts حساب حسابات الحساب',
  'branch branches فرع فروع',
  'car vehicle cars vehicles سياره مركبه سيارات',
  'parking park مواقف موقف',
  'animal animals pet pets حيوان حيوانات',
  'smoke smoking تدخين التدخين',
  'visit visits زياره',
  'visitor visitors guest guests زوار زائر زائرين',
  'emergency urgent طوارئ الطوارئ طارئه طاري',
  'establish founded founder founding established تاسست تاسس تاسيس انشئت انشئ اسس',
  'population inhabitants residents سكان عدد-السكان',
  'build built constructed construction بناء بني شيد انشاء بنيت',
  'building مبني مباني عماره',
  'job profession occupation وظيفه مهنه',
];

export interface Meanings {
  /** Concepts of policies and price lists (`=price`): certain. */
  readonly concepts: readonly string[];
  /** Rows of the general table in which the word stands: likely. */
  readonly synonyms: readonly number[];
  /** Rows of words that only belong together. */
  readonly relatives: readonly number[];
}

interface Rows {
  concepts: string[];
  synonyms: number[];
  relatives: number[];
}
export const NONE: Meanings = { concepts: [], synonyms: [], relatives: [] };
const TABLE = new Map<string, Rows>();
const BY_ROOT = new Map<string, number[]>();

/** Letters by which English words are told apart at a glance. */
export const BEGINNING_CHARS = 2;
const BEGINNINGS = new Map<string | number, Set<string>>();

function addTo(row: string | number, beginning: string): void {
  const known = BEGINNINGS.get(row);
  if (known) known.add(beginning);
  else BEGINNINGS.set(row, new Set([beginning]));
}

function learn(word: string, rows: readonly (string | number)[], put: (rows: Rows) => void): void {
  const plain = fold(word.replace(/-/g, ' '));
  if (plain === '' || plain.includes(' ')) return;
  if (/^[a-z]/.test(plain)) for (const row of rows) addTo(row, plain.slice(0, BEGINNING_CHARS));
  const forms = /[a-z]/.test(plain) ? [plain, stemOfAnySpelling(plain)] : [plain, arabicStem(plain)];
  for (const form of new Set(forms)) {
    const rows = TABLE.get(form) ?? { concepts: [], synonyms: [], relatives: [] };
    TABLE.set(form, rows);
    put(rows);
  }
}
/** Arabic words of one root mostly belong together: `يفتش`, `تفتيش`. */
function learnRoots(word: string, index: number): void {
  const plain = fold(word.replace(/-/g, ' '));
  if (plain.includes(' ') || !/^[\u0621-\u06d3]{4,}$/.test(plain)) return;
  for (const root of rootsOf(arabicStem(plain))) {
    const rows = BY_ROOT.get(root) ?? [];
    BY_ROOT.set(root, rows);
    addOnce(rows, index);
  }
}
function addOnce<T>(list: T[], value: T): void {
  if (!list.includes(value)) list.push(value);
}

const ALL_SYNONYMS = [
  ...SYNONYMS,
  ...MORE_SYNONYMS,
  ...ENGLISH_SYNONYMS,
  ...ENGLISH_PLACES,
  ...ENGLISH_WORLD,
  ...ENGLISH_MORE,
  ...PEOPLES,
  ...ARABIC_SYNONYMS,
  ...ARABIC_THINGS,
];

let isLearnt = false;
/** Once, with the first word that is looked up: it takes a tenth of a second, and most commands look up none. */
function learnAll(): void {
  isLearnt = true;
  for (const row of ROWS) {
    const words = row.split(' ');
    const name = `=${fold(words[0]!.replace(/-/g, ' '))}`;
    for (const word of words)
      learn(word, [name], (rows) => {
        if (rows.concepts.length === 0) rows.concepts.push(name);
      });
  }
  for (const [index, row] of ALL_SYNONYMS.entries()) {
    const loose = row.startsWith('~');
    for (const word of row.replace('~ ', '').split(' ')) {
      learn(word, [index], (rows) => addOnce(loose ? rows.relatives : rows.synonyms, index));
      learnRoots(word, index);
    }
  }
}

/** What one word may mean, given its forms from the fullest to the barest: each table by the first form it knows. */
export function meaningsOf(forms: readonly string[], roots: readonly string[] = []): Meanings {
  if (!isLearnt) learnAll();
  const known = forms.map((form) => TABLE.get(form)).filter((rows) => rows !== undefined);
  const byRoot = roots.flatMap((root) => BY_ROOT.get(root) ?? []);
  if (known.length === 0) return byRoot.length === 0 ? NONE : { ...NONE, relatives: byRoot };
  const first = <T>(pick: (rows: Rows) => T[]): T[] => known.map(pick).find((list) => list.length > 0) ?? [];
  return {
    concepts: first((rows) => rows.concepts),
    synonyms: first((rows) => rows.synonyms),
    relatives: [...first((rows) => rows.relatives), ...byRoot],
  };
}

/** The first letters of the English words that may mean the same, or belong to it. */
export function beginningsOfMeanings({ concepts, synonyms, relatives }: Meanings): string[] {
  return [...concepts, ...synonyms, ...relatives].flatMap((row) => [...(BEGINNINGS.get(row) ?? [])]);
}
