import { foldedSet } from '../../../language/fold-word.ts';
import { NOT_A_NAME } from './name-triggers.ts';
import { CITIES } from './place-words.ts';
import type { Reading } from './reading.ts';

/** Words around an Arabic name that say that somebody is meant: what people do, who they are, where a person would stand. */

/** `أنا حصة اللي كلمتكم`, not `أنا فرح جدا`. */
export function endsStatement(reading: Reading, last: number): boolean {
  const next = reading.tokens[last + 1];
  if (next === undefined || next.type === 'digits' || next.sentence !== reading.tokens[last]!.sentence) return true;
  return NOT_A_NAME.has(next.text) && !INTENSE.has(next.text);
}

const INTENSE = foldedSet('جدا مرة كثير في أكثر أقل');

/** `سعيد قال لي`, `نور said` */
export function speaks(reading: Reading, last: number): boolean {
  return reading.gapBefore(last + 1) === ' ' && SPEAKS.has(reading.tokens[last + 1]?.text ?? '');
}

export const SPEAKS = foldedSet(
  'زعل زعلت زعلان زعلانة خرج خرجت اقترح اقترحت جرب جربت لاحظ لاحظت أخبر أخبرني أخبرتني رفض رفضت حضر حضرت غاب غابت موجود موجودة وصل وصلت يشتغل تشتغل يعمل تعمل عنده عندها اشتكى اشتكت سأل سألت تستحق يستحق تأخذ يأخذ ياخذ تاخذ يحتاج تحتاج تطلب يطلب يبغى تبغى يبي تبي يسأل تسأل شرح شرحت وعد وعدت وعدني وعدتني أكد أكدت ذكر ذكرت أفاد أفادت نسي نسيت استلم استلمت راجع راجعت تأخر تأخرت سافر سافرت استقال استقالت تزوج تزوجت مسافر مسافرة مريض مريضة مجاز مجازة متزوج متزوجة يعاني تعاني سلمني سلمتني حول حولت حولي دفع دفعت سدد سددت اعتذر اعتذرت بلغني بلغتني خلص خلصت جاء جاءت جا جات راح راحت جاب جابت قالي قالتلي قال لي called asked wants needs approved signed قال قالت اتصل اتصلت كلمني كلمتني رد ردت بعث بعثت أرسل أرسلت كتب كتبت وقع وقعت طلب طلبت يقول تقول said says called told wrote asked replied confirmed approved sent',
);

/** `أخوي ماهر هو اللي وقع`: what follows says that the word before was a person. */
export function goesOnAsName(reading: Reading, last: number): boolean {
  const next = reading.tokens[last + 1]?.text ?? '';
  if (next === 'ما' && isPastVerb(reading, last + 2)) return true;
  return reading.gapBefore(last + 1) === ' ' && (GOES_ON.has(next) || SPEAKS.has(next) || HE_DOES.test(next));
}

/** `ما وصل`, not `ما شاء الله`. */
function isPastVerb(reading: Reading, at: number): boolean {
  const word = reading.tokens[at]?.text ?? '';
  return SPEAKS.has(word) || /^(?:رد|داوم|داومت|كلم|رجع|رجعت|انتهى|انتهي|يرد|ترد|يداوم|تداوم)$/.test(word);
}

/** `أنا سعيد من الدمام`, `أنا أمل من قسم المبيعات`: where somebody is from. */
export function isFrom(reading: Reading, last: number): boolean {
  const { tokens } = reading;
  if (tokens[last + 1]?.text !== 'من' || reading.gapBefore(last + 1) !== ' ') return false;
  return tokens[last + 2]?.type === 'word' && reading.forms(last + 2).plain.some((form) => ORIGINS.has(form));
}

const ORIGINS = new Set([
  ...CITIES,
  ...foldedSet(
    'قسم فريق شركة بنك فرع إدارة مبيعات محاسبة تحصيل دعم صيانة مستشفى عيادة وزارة خدمة مكتب سكان أهل طرف جهة',
  ),
]);

/** `شكرا ريم على المساعدة`, `يعطيك العافية أمل`. */
export function isThanked(reading: Reading, first: number, last: number): boolean {
  const before = reading.tokens[first - 1]?.text ?? '';
  if (!THANKS.has(before) || reading.gapBefore(first) !== ' ') return false;
  const next = reading.tokens[last + 1];
  return next === undefined || next.text === 'علي' || /[،,.!\n]/.test(reading.gapBefore(last + 1));
}

const THANKS = foldedSet('شكرا مشكور مشكورة تسلم تسلمين العافية قصرت قصرتي');

/** `ماجد للتجارة والمقاولات`: a company. */
export function isCompany(reading: Reading, last: number): boolean {
  const next = reading.tokens[last + 1]?.text ?? '';
  return (
    reading.gapBefore(last + 1) === ' ' &&
    /^لل(?:تجاره|مقاولات|عقار|عقارات|استثمار|خدمات|تطوير|سياحه|سفر|نقل|صناعه|تقنيه|اتصالات|عطور|مجوهرات|مفروشات|اثاث|ملابس|سيارات|تاجير|محاماه|استشارات|تسويق|اغذيه|بصريات|ازياء|عود|تمور|عسل)/.test(
      next,
    )
  );
}

/** `يسجل`, `سيتواصل`: the present and future of a verb. */
const HE_DOES = /^(?:ي(?!وم)|سي|ست)[\u0620-\u064a]{3,6}$/;

export const GOES_ON = foldedSet(
  'لم لن قد سوف',
  'هو هي عمره عمرها عنده عندها يبغى تبغى يبي تبي قال قالت راح راحت اتصل اتصلت رقمه رقمها جواله جوالها هويته هويتها يحتاج تحتاج يعاني تعاني سافر سافرت ساكن ساكنة يشتغل تشتغل مسافر مسافرة مريض مريضة اللي الله رحمه رحمها is has was will',
);

export const FOLLOWS = foldedSet(
  'كلمة رقم رقمه رقمها إن أن إنه إنها أنه أنها بأن بأنه بأنها إني في من على عن إلى مع لي لنا له لها وقال وقالت وطلب وطلبت يوم اليوم أمس البارحة قبل بعد وهو وهي تشتكي يشتكي تطلب يطلب يسأل تسأل يبغى تبغى يبي تبي وما ما لأن بسبب بخصوص عشان علشان بدون وأفاد وأفادت وذكر وذكرت لتحديث لإلغاء لطلب للاستفسار على',
);

export const SLOT_BEFORE = foldedSet(
  'أن إن لأن بأن أنه على من مع عن إلى عند لدى هل وين حتى كان بين أو ثم لو إذا غير سوى بلغوا وبلغوا انسخوا وانسخوا أضيفوا أضف ضيفوا اسألوا خبروا علموا راسلوا دربوا استدعوا كلفوا',
);

export const SLOT_AFTER = foldedSet(
  'من في على إلى عن مع أن إن اللي الذي التي هو هي ما لا لم لن قد كان كانت بعد قبل أمس اليوم بكرة غدا خرج خرجت دخل دخلت نسى زعل زعلت قفل قفلت ترك تركت فتح فتحت جرب جربت اقترح اقترحت طلعت وبعدين ثم عشان علشان لأن بسبب حسب',
);

export const POSITIONS = foldedSet(
  'مدير مديرة مسؤول مسؤولة محاسب محاسبة رئيس رئيسة موظف موظفة مندوب مندوبة سكرتير سكرتيرة مشرف مشرفة مهندس مهندسة طبيب طبيبة زوج زوجة أخو أخت ولد بنت سائق',
);

/** `المتطوعة جمانة`, `المتدرب نايف`: a participle with its article, which says who somebody is. */
export function isAfterRole(reading: Reading, first: number): boolean {
  const word = reading.tokens[first - 1]?.text ?? '';
  return (
    reading.gapBefore(first) === ' ' &&
    /^(?:و?ال|و?لل)(?:مت|مس|مو|مش|مد|مر|مع|من|مح|مخ|مه|مم)[\u0620-\u064a]{2,6}$/.test(word) &&
    !THINGS.has(word)
  );
}

/** Participles and places of that shape that are nobody. */
const THINGS = foldedSet(
  'المدينة المنطقة المحافظة المدرسة المحطة المستشفى المستوصف المستودع المشروع المنتج المنصة المعهد المركز المعرض المسجد المخرج المدخل الموقع المنتجع المخبز المطعم المتجر المحل المسار المستوى المعدل المبلغ المجلس المجمع المخيم المسلسل المسرحية المعلقة المسابقة المنتخب المعادلة المحاضرة المادة المقهى المول المتحف المختبر المشغل الموديل المودم المنشأة المؤسسة المرحلة المحتوى',
);

/** `رمضان المبارك`, `ربيع الأول`, `عيد الأضحى` */
export function isSeason(reading: Reading, first: number): boolean {
  return SEASONS.has(reading.tokens[first]!.text) && SEASON_GOES_ON.has(reading.tokens[first + 1]?.text ?? '');
}

const SEASONS = foldedSet('رمضان شعبان رجب ربيع عيد خميس جمعة');

const SEASON_GOES_ON = foldedSet(
  'المبارك المباركة الكريم الفضيل الماضي القادم المقبل الحالي الأول الثاني الآخر الفطر الأضحى السعيد الوطني',
);

/** Adjectives and nouns of the shape of a family name. */
export const ADJECTIVES = foldedSet(
  'التسويقي التقني الصيفي الشتوي المالي الإداري القانوني التعليمي الصحي الغذائي الصناعي الزراعي الاجتماعي الثقافي الرياضي السياحي العقاري التمويلي الائتماني المصرفي الوظيفي المهني الأكاديمي الجامعي المدرسي الأسبوعي الموسمي المستقبلي الحقيقي الأصلي الإضافي الجزئي الكلي النهائي الابتدائي الأولي الفوري المباشر الإجباري الاختياري القياسي المثالي الطبيعي الصناعي الآلي اليدوي الهاتفي الصوتي المرئي النصي البصري السمعي الحركي النفسي العقلي الجسدي الجراحي العلاجي الوقائي الدوائي السريري المخبري الإشعاعي الوراثي الجيني الكيميائي الفيزيائي الهندسي المعماري الإنشائي المدني العسكري الأمني الجنائي الدولي العالمي المحلي الإقليمي الخليجي الإسلامي الأوروبي الأمريكي الآسيوي الأفريقي الغربي الشرقي الشمالي الجنوبي السفلي العلوي الجانبي الأمامي الخلفي البري البحري الجوي الأرضي السكني المكتبي التنفيذي الاستشاري التشغيلي التجريبي التدريبي التعاوني الخيري التطوعي الحكومي الرسمي الأهلي الخاص الإعلامي الصحفي الأدبي الفكري الديني الشرعي السياسي الاقتصادي الضريبي الجمركي البلدي البيئي المائي الكهربائي الميكانيكي الضوئي اللاسلكي السلكي الرقمي الافتراضي السحابي الوادي النادي الماضي التالي الباقي الجاري الحالي العادي العالي الغالي الكافي الأساسي الجماعي الفردي العائلي المنزلي الذاتي الشخصي التشخيصي التوعوي التراثي التاريخي الجغرافي البياني المعلوماتي التوالي المستوى المرعي القادمي',
);
