import { foldedSet } from '../../../language/fold-word.ts';
import { FAMILY_NAMES, GIVEN_NAMES } from '../../../language/names/name-lists.ts';
import { NOT_A_NAME } from './name-triggers.ts';
import { PhraseIndex, type PhraseMatch } from './phrase-index.ts';
import { CITIES, FINE, MARKERS, STOPS } from './place-words.ts';
import { hasHomeNumber } from './places.ts';
import type { Found, LabelMatch, Reading } from './reading.ts';

/** What says that somebody is, lives, waits or is to be met at the place that follows. */
/** `person`: only in a sentence that speaks of somebody before. */
const FRAMES = new PhraseIndex<'own' | 'person'>('plain');
FRAMES.add(
  `جالس الحين|جالسة الحين|جالس حاليا|جالسة حاليا|واقف الحين|واقفة الحين|موقعنا|أنا مع العيال|أنا مع عيالي|أنا مع الأهل|أنا مع أهلي|أنا مع زوجتي|أنا مع زوجي|أنا مع أمي|أنا مع أبوي|أنا مع ولدي|أنا مع بنتي|أنا بانتظارك|أنا بانتظاركم|أنا موقف|أنا موقفة|أنا الحين موقف|أنا الآن موقف|أنا حاليا موقف|موقف سيارتي|موقفة سيارتي|موقفين سيارتنا|أنا جالس|أنا جالسة|أنا الحين جالس|أنا الحين جالسة|أنا جالس الحين|أنا حاليا جالس|أنا حاليا جالسة|جالس أستنى|جالسة أستنى|جالسين نستنى|أنا برا|أنا بره|أنا وصلت|إحنا قدام|إحنا في|إحنا عند|إحنا برا|حاليا أنا|حاليا متواجد|حاليا متواجدة|متواجد حاليا|متواجد الحين|متواجدة حاليا|أنا متواجد|أنا متواجدة|أنا واقف تحت|واقف تحت|أنا راكن|راكن|راكنة|راكن عند|إحنا الحين|حنا الحين|يجيني|تعال لي|تعالوا لي|تعال|تعالي|ضاع عند|ضاعت عند|ضاع في|والدي ضاع|مزرعتنا في|بيتنا بعد|لقيته عند|لقيته في|أنا في|أنا عند|أنا قدام|أنا ورا|أنا خلف|أنا جنب|أنا مقابل|أنا على|أنا داخل|أنا بـ|أنا أمام|أنا الحين|أنا الآن|أنا حاليا|أنا من سكان|من سكان|من أهالي|احنا في|احنا عند|احنا قدام|حنا في|حنا عند|نحن في|ساكن|ساكنة|ساكنين|أسكن|نسكن|يسكن|تسكن|سكنت|سكنا|بيتنا|بيتي|بيته|بيتها|منزلي|منزلنا|منزله|منزلها|سكني|سكنه|سكنها|مسكني|مسكنه|شقتي|شقتنا|شقته|فلتي|عمارتنا|أقيم|نقيم|مقيم في|مقيمة في|عايش|عايشة|عايشين|نعيش|موقعي|موقعه|موقعها|موقع بيتي|موقعي الحالي|مكاني|مكاني الحالي|لوكيشني|واقف|واقفة|واقفين|أنتظر|ننتظر|أنتظركم|منتظر|منتظرة|وصلوها|وصلوه|ودوه|عنواني|عنوانه|عنوانها|عنواننا|عنوان البيت|عنوان السكن|عنوان الاستلام|عنوان التوصيل|وصلوها على|وصلوها لـ|وصلوه على|وصلوها إلى|وصلوه إلى|وصلوا الطلب|ودوها|ابعثوا المندوب|أرسلوا المندوب|أرسلوا السواق|أرسلوا الفني|ابعث السواق|أرسل الفني|خذوني من|خذني من|مروني|مرني|قابلوني|قابلني|نزلوني|نزلني|تعالوا|سيارتي تعطلت|تعطلت سيارتي|تعطلت على|تعطلت في|تعطلنا|تعطل موتري|بنشر|بنشرت|خربت سيارتي|صار لي حادث|صار حادثي|صدمت|نقلت من|نقلت إلى|نقلت لـ|نقلنا من|نقلنا إلى|نقلنا لـ|انتقلت إلى|انتقلت لـ|انتقلنا إلى|انتقلنا لـ|انتقلت من|دوامي في|أداوم في|محلي في|مكتبي في|مزرعتي|مزرعتنا|استراحتي|استراحتنا|أرضي في|مستأجر في|مستأجرة في|مستأجرين في|استأجرت في|استأجرت شقة|شريت بيت|لقوه عند|لقوه قريب|لقوه في|شافوه في|شافوه عند|عيالي يدرسون في|ولدي يدرس في|بنتي تدرس في|أشتغل في|سيارتي واقفة|سيارتي في|سيارتي عند|ضعت عند|بيت أهلي|بيت أبوي|بيت جدي|بيت عمي`,
  'own',
);
FRAMES.add(
  `i m right next to|i m right outside|i m right behind|i m right in front|i am right outside|i m with my|i am with my|i am parked|i am waiting|i am stuck|i am inside|i am outside|i am behind|i am opposite|i am next to|i am in front of|i m in front of|we are parked|we are inside|we are outside|we are waiting|we are standing|we are sitting|we re inside|we re outside|we re sitting|we re standing|we re waiting|we re in front of|i m having coffee|i m having lunch|i m having dinner|i m having breakfast|i pulled over|i m pulled over|live location|location right now|current position|position is|my position|last location|location is|i live|my flat s|our flat s|my house s|our house s|our villa is|i m sitting|i am sitting|i m standing|i am standing|i m stuck|i m driving|i just passed|i ve just passed|just passed|i passed|we broke down|i broke down|car broke down|we re stuck|i m walking|i m heading to|i m on my way to|we re parked|she s waiting|he s waiting|i m staying|we re staying|we stay|i left it at|i m next to|i m opposite|we live|he lives|she lives|they live|i m at|i am at|i m in|i am in|i m on|i am on|i m near|i am near|i m outside|i am outside|i m inside|i m behind|i m by|i m parked|i m waiting|we re at|we are at|we re in|we are in|we re on|we re near|he s at|he is at|she s at|she is at|they re at|he s in|she s in|my house is|our house is|my home is|my flat is|our flat is|my apartment is|our apartment is|my villa is|our villa is|my place is|my office is|my shop is|my car is|my location is|my current location is|current location|my location|my address|i stay|resident of|resident in|residents of|pick me up|pick him up|pick her up|pick us up|picked me up|drop me|drop it|dropped me|drop her|drop him|meet me|meet him|meet us|come to|come get me|deliver it|deliver to|delivered to|deliver this|delivering to|send it|send the technician|send the driver|send someone|send a driver|send a tow truck|send an ambulance|bring it|found him|found her|found me|saw him|saw her|seen him|seen her|renting a flat|i m currently|i am currently|right now i m|lost near|i m a resident of`,
  'own',
);
FRAMES.add(
  `يقطن|تقطن|يقطنون|قاطن|قاطنة|يقيم|تقيم|يعيش|تعيش|موجود في|موجودة في|موجود عند|متواجد|متواجدة|توصل|توصلونها|تعطلت السيارة|انتقل إلى|يدرس في|تدرس في|يشتغل في|تشتغل في|شوهد في|شوهد عند|السيارة واقفة|lives|live|living|lived|staying|stay|stayed|residing|reside|resides|residence is|moved to|moving to|moved from|moved into|relocated to|parked|standing|waiting|stuck|stranded|broke down|breakdown|accident|crashed|located|seen|last seen|go to school|goes to school|study at|studies at|studying at|work at|works at|working at|works in|rent|rented|renting|bought a house|bought a villa|currently|walking|jogging`,
  'person',
);

/** Places with a name that many people go to: somebody's whereabouts after a frame. */
const SITES = foldedSet(
  'فندق مدارس كوفي مطاعم أكاديمية مغسلة بوليفارد ممشى تقاطع مسجد جامع مستشفى مستوصف مركز عيادة مدرسة روضة جامعة كلية معهد سوق أسواق مول مجمع محطة مخرج كوبري جسر نفق دوار ميدان إشارة شاليه منتجع استراحة مزرعة مخيم قرية هجرة بلدة مركز ضاحية كمباوند مجمع برج أبراج قصر قاعة مطعم كافيه مقهى صيدلية بقالة سوبرماركت هايبر ملعب نادي حديقة منتزه كورنيش شاطئ ميناء مطار مواقف موقف ورشة معرض محل بنك مصرف مخطط إسكان سكن صالة ديوانية محافظة واحة دوام',
  'hotel bookstore markets schools quarter quarters mall mosque hospital clinic school university college resort compound tower towers plaza market supermarket hypermarket pharmacy station gate exit highway bridge roundabout square garden corniche beach marina port airport terminal village camp farm stadium club gym cafe restaurant bakery parking complex residence residences suites hostel dorm dormitory campus library museum souq souk junction intersection interchange tunnel bay center centre',
);
const ARABIC_JOINTS = foldedSet(
  'العيال عيالي بالسيارة بانتظارك بانتظاركم موقف موقفة موقفين واقف واقفة واقفين جالس جالسة جالسين راكن راكنة متواجد متواجدة أستنى أستناكم نستنى سيارتي السيارة برا بره بوابة اللي العمارة الفيلا البيت الشقة البيضاء الأبيض المذكور المذكورة المواطن المواطنة المقيم المدعى عليه عليها المندوب والدي والدتي أبوي أمي أبي أهلي أهله أهلها أخوي أخي أختي زوجي زوجتي زوجها ولدي ابني بنتي جدي جدتي خالي خالتي عمي عمتي العميل العميلة المريض المريضة الموظف الموظفة المستفيد لي في ب عند جنب ورا وراء خلف قدام أمام مقابل قريب قريبة قرب بجوار جوار بجانب بعد قبل على داخل بين فوق تحت شمال جنوب شرق غرب من إلى لـ نفس نهاية بداية آخر أول الحين الآن حاليا لحاله لحالها لحالي لوحدي مع أهلي مع في عندنا بالضبط تحديدا هو هي كانت مدخل الدور الطابق الثاني الثالث الأول الرابع الخامس مباشرة قدامه يمين يسار',
);
const ENGLISH_JOINTS: ReadonlySet<string> = new Set(
  'kids family wife husband friends inside outside above below sitting standing waiting parked lights light entrance lobby main corner white blue red green yellow grey gray brown black big small villa house building flat apartment ring past the a of in at on near behind opposite next to beside by inside outside off from before after between across front is right now currently just me up it this over there alone with my parents in floor th st nd rd ground first second third fourth fifth down along around close side north south east west'.split(
    ' ',
  ),
);
/** Words in capitals that end a place. */
const NOT_PLACES: ReadonlySet<string> = new Set(
  'i please monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december ramadan can could my we you he she they the and but so eid hajj english arabic help app play download settings account'.split(
    ' ',
  ),
);
/** Where a company receives everybody. */
const RECEIVES = foldedSet('فرع فروع فرعكم فرعنا معرضنا مقر مقركم branch branches headquarters hq showroom');
const TOKENS_MAX = 14;
const NAME_TOKENS_MAX = 3;

/** Places after a frame of whereabouts: `قدام مستشفى الحبيب`, `behind Al Othaim Mall`, `in Block C, Al Rawdah compound`. */
export function findWhereabouts(reading: Reading): Found[] {
  const found: Found[] = [];
  const { tokens } = reading;
  let at = 0;
  while (at < tokens.length) {
    const frame = tokens[at]!.type === 'word' ? FRAMES.at(tokens, reading.forms, at) : undefined;
    if (frame === undefined) {
      at += 1;
      continue;
    }
    const place = isMeant(reading, frame) ? placeFrom(reading, frame.last + 1) : undefined;
    if (place !== undefined) {
      const kind = hasHomeNumber(reading, place.first, place.last) ? 'Address' : 'Location';
      found.push(reading.foundTokens(kind, place.first, place.last, 0.65));
    }
    at = Math.max(frame.last, place?.last ?? 0) + 1;
  }
  return found;
}

/** Not `انتظر` (wait!), and no company that moved. */
function isMeant(reading: Reading, frame: PhraseMatch<'own' | 'person'>): boolean {
  if (reading.tokens[frame.first]!.text === 'انتظر' && reading.sourceLetter(frame.first) !== 'أ') return false;
  if (frame.meaning === 'own' || reading.isNamed(frame.first)) return true;
  const speaksOf = ({ meaning }: LabelMatch): boolean => meaning === 'person';
  // `يعيش والدي في`: the subject follows the verb.
  return reading.labelsLeft(frame.first).some(speaksOf) || reading.labelsRight(frame.last, 2).some(speaksOf);
}

interface Place {
  readonly first: number;
  readonly last: number;
}

/** The place that begins at a token: joints, parts of an address and named sites in a row. */
function placeFrom(reading: Reading, from: number): Place | undefined {
  const { tokens } = reading;
  const sentence = tokens[from]?.sentence;
  let first = -1;
  let last = -1;
  let specific = false;
  for (let at = from; at < tokens.length && at < from + TOKENS_MAX; at += 1) {
    const token = tokens[at]!;
    if (token.sentence !== sentence || !/^(?: |, ?|-|\u2013|: ?)?$/.test(reading.gapBefore(at))) break;
    if (reading.forms(at).bare.some((form) => RECEIVES.has(form))) return undefined;
    const end = partAt(reading, at, last >= 0) ?? shopAt(reading, at);
    if (end === undefined) {
      if (isJoint(reading, at)) continue;
      break;
    }
    if (first < 0) first = at;
    specific ||= end.specific;
    last = end.last;
    at = last;
  }
  return specific && first >= 0 ? { first, last } : undefined;
}

/** `Starbucks on Tahlia Street`, `McDonald's inside`: a name in capitals before where it is. */
function shopAt(reading: Reading, at: number): Part | undefined {
  const { tokens } = reading;
  let next = at;
  while (next < at + SHOP_TOKENS_MAX && isShopWord(reading, next, next > at)) next += 1;
  if (next > at && /^(?:store|shop|outlet)$/.test(tokens[next]?.text ?? '')) next += 1;
  if (next === at || !/^(?:on|in|at|near|opposite|off|inside|outside|by|beside|behind)$/.test(tokens[next]?.text ?? ''))
    return undefined;
  return { last: next - 1, specific: false };
}

function isShopWord(reading: Reading, at: number, begun: boolean): boolean {
  const token = reading.tokens[at];
  if (token?.type !== 'word' || NOT_PLACES.has(token.text)) return false;
  if (begun && !/^[ '’&-]$/.test(reading.gapBefore(at))) return false;
  return /^[A-Z][A-Za-z]+$/.test(reading.cased(at)) || (begun && token.text === 's');
}

const SHOP_TOKENS_MAX = 4;

function isJoint(reading: Reading, at: number): boolean {
  const { text, type } = reading.tokens[at]!;
  if (type === 'digits') return /^(?:st|nd|rd|th)$/.test(reading.tokens[at + 1]?.text ?? ''); // 5th
  return text.charCodeAt(0) >= 0x600 ? ARABIC_JOINTS.has(text) : ENGLISH_JOINTS.has(text);
}

interface Part {
  readonly last: number;
  /** Finer than a city. */
  readonly specific: boolean;
}

/** A part of a place at a token: `حي الملقا`, `exit 14`, `Al Othaim Mall`, a city, a number. */
function partAt(reading: Reading, at: number, begun: boolean): Part | undefined {
  const token = reading.tokens[at]!;
  if (token.type === 'digits')
    return token.text.length <= 5 && begun ? { last: at, specific: false } : numbered(reading, at);
  return token.text.charCodeAt(0) >= 0x600 ? arabicPart(reading, at) : englishPart(reading, at);
}

/** `24 Tahlia Street` */
function numbered(reading: Reading, at: number): Part | undefined {
  const next = reading.tokens[at + 1];
  if (next?.type !== 'word' || reading.gapBefore(at + 1) !== ' ' || next.text.charCodeAt(0) >= 0x600) return undefined;
  return englishPart(reading, at + 1);
}

function arabicPart(reading: Reading, at: number): Part | undefined {
  const { plain } = reading.forms(at);
  const fine = plain.some((form) => FINE.has(form) || MARKERS.has(form));
  if (!fine && !plain.some((form) => SITES.has(form))) {
    return (
      namedBefore(reading, at) ?? (plain.some((form) => CITIES.has(form)) ? { last: at, specific: false } : undefined)
    );
  }
  const last = arabicNameAfter(reading, at);
  return last > at ? { last, specific: true } : undefined;
}

/** `العثيم مول`, `رد سي مول`: the name stands before what it is. */
function namedBefore(reading: Reading, at: number): Part | undefined {
  const { tokens } = reading;
  for (let last = at + 1; last <= at + 2 && last < tokens.length; last += 1) {
    if (reading.gapBefore(last) !== ' ' || isJoint(reading, last - 1) || NO_NAME.has(tokens[last - 1]!.text)) break;
    if (SITES_AFTER.has(tokens[last]!.text)) return { last, specific: true };
  }
  return undefined;
}

const SITES_AFTER = foldedSet('مول بلازا سنتر هايبر تاور');
const NO_NAME = foldedSet('أكبر نفس أقرب أحسن أفضل أول آخر هذا أي كل زحمة أكثر وأبغى أبغى أبي أدور مو ما يوجد فيه');

/** The name of a street, a mosque: `الملك عبدالله`, `ساسكو`, `5`. */
function arabicNameAfter(reading: Reading, marker: number): number {
  const { tokens } = reading;
  let last = marker;
  for (let at = marker + 1; at <= marker + NAME_TOKENS_MAX && at < tokens.length; at += 1) {
    const token = tokens[at]!;
    if (token.sentence !== tokens[marker]!.sentence || reading.gapBefore(at) !== ' ') break;
    if (token.type === 'digits') return token.text.length <= 4 && last === marker ? at : last;
    if (!isPlaceName(reading, at, last > marker)) break;
    last = at;
  }
  return last;
}

function isPlaceName(reading: Reading, at: number, begun: boolean): boolean {
  const { text } = reading.tokens[at]!;
  if (text.charCodeAt(0) < 0x600) return /^[A-Z]/.test(reading.cased(at));
  if (STOPS.has(text) || ARABIC_JOINTS.has(text) || TIMES.has(text)) return false;
  if ((text.startsWith('ال') && text.length > 3) || PLACE_LINKS.has(text)) return true;
  if (/^(?:ابو|ام)$/.test(reading.tokens[at - 1]!.text)) return true; // أبو بكر
  if (NOT_A_NAME.has(text)) return false;
  if (GIVEN_NAMES.has(text) || FAMILY_NAMES.has(text) || text === 'بن') return true;
  return !begun && text.length >= 3 && !/^[يتنو]/.test(text) && !/(?:كم|نا|ها|هم|تي|ني)$/.test(text);
}

const PLACE_LINKS = foldedSet('ذي أم أبو بني آل');

const TIMES = foldedSet(
  'مسدود مسدودة صحيح الصحيح غلط الغلط مختصر اليوم أمس بكرة الصبح العصر المغرب الظهر العشاء الفجر الحين الآن الساعة الشهر الأسبوع السنة الماضي الماضية القادم القادمة اللي الذي التي وأبغى أنتظر أبغى من منذ عشان علشان ساعة يوم شهر سنة نص ربع جديد جديدة قديم قديمة كبير كبيرة صغير صغيرة حكومي حكومية خاص خاصة أهلي أهلية قريب قريبة ثاني ثانية واحد آخر أخرى مزدحم زحمة',
);

function englishPart(reading: Reading, from: number): Part | undefined {
  const { tokens } = reading;
  let last = -1;
  let specific = false;
  let named = false;
  for (let at = from; at < tokens.length && at < from + 6; at += 1) {
    const token = tokens[at]!;
    if (at > from && !/^[ '-]$/.test(reading.gapBefore(at))) break;
    if (token.type === 'digits') {
      if (last < 0 || token.text.length > 5) break;
      specific ||= isSite(tokens[at - 1]!.text);
      last = at;
      continue;
    }
    if (token.text.charCodeAt(0) >= 0x600 || NOT_PLACES.has(token.text)) break;
    const site = isSite(token.text);
    const capital = /^[A-Z]/.test(reading.cased(at));
    if (!site && !capital && !isSpokenName(reading, at)) break;
    if (site) specific ||= named || isBlock(reading, at);
    named ||= !site || capital;
    last = at;
    if (site && capital && tokens[at + 1]?.text === 'of' && isCapital(reading, at + 2)) {
      return { last: at + 2, specific: true }; // Mall of Dhahran
    }
  }
  if (last < 0) return undefined;
  const district = !specific && last - from >= 1 && /^(?:al|an|as|ad|ar|az|ash|ath)$/.test(tokens[from]!.text);
  const city = [tokens[last]!.text, `${tokens[from]!.text}${tokens[last]!.text}`].some((word) => CITIES.has(word));
  if (!specific && !(district && !city) && !(city && named)) return undefined;
  return { last, specific: specific || (district && !city) };
}

function isCapital(reading: Reading, at: number): boolean {
  return at < reading.tokens.length && /^[A-Z]/.test(reading.cased(at));
}

function isSite(word: string): boolean {
  return SITES.has(word) || FINE.has(word) || MARKERS.has(word);
}

/** `Block C`, `Gate 3`: what is named by a letter or a number after it. */
function isBlock(reading: Reading, at: number): boolean {
  const next = reading.tokens[at + 1];
  if (next === undefined || reading.gapBefore(at + 1) !== ' ') return false;
  return next.type === 'digits' ? next.text.length <= 4 : /^[A-Z]$/.test(reading.cased(at + 1));
}

/** `al othaim mall`, said without capitals: what begins with an article, and the word after it. */
function isSpokenName(reading: Reading, at: number): boolean {
  const { text } = reading.tokens[at]!;
  if (/^(?:al|king|prince|princess|abu|umm)$/.test(text)) return true;
  return /^(?:al|king|prince|princess|abu|umm)$/.test(reading.tokens[at - 1]?.text ?? '') && text.length > 2;
}
