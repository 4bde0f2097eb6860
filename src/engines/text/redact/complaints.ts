import { foldedSet } from '../../../language/fold-word.ts';
import type { Reading } from './reading.ts';

/**
 * What ails somebody, said in parts that no list of illnesses could have all of: a complaint beside a part of the body (`ألم في
 * أسفل البطن`, `swollen left knee`), a medicine for something (`دواء السيولة`), and what a diagnosis goes on with (`نوع أول`,
 * `stage 3`).
 */

/** Nouns of complaint that need the part of the body to be one. */
const COMPLAINTS = foldedSet(
  'ألم آلام أوجاع وجع ضعف نقص التهاب التهابات خشونة ورم أورام كسر كسور شرخ نزيف تمزق قطع تضخم انسداد ارتفاع انخفاض قصور تليف حصوة حصى حصوات جلطة كتلة التواء تشنج تشنجات حساسية احتقان انتفاخ تورم حرقة ضيق خفقان تجلط تآكل احتكاك اعوجاج انحراف انزلاق ضمور شلل جرح حرق حروق كدمة كيس أكياس عملية جراحة استئصال زراعة ترقيع منظار خياطة غضروف فشل هبوط اعتلال تشوه ثقب مشكلة مشاكل خلل اضطراب عدوى فطريات خراج ناسور خلع بتر إصابة رضة تصلب توسع انكماش ترسبات ماء مياه دوالي تعب انكسرت انكسر كسرت انجرحت انجرح انحرقت انخلع انخلعت التوت تورمت ورمت تعورت تشنجت انشلت بترت توجعني يوجعني تعورني يعورني توجعه يوجعه يوجعها',
  'pain pains ache aches infection infections inflammation inflamed fracture fractured broken injury injured tumor tumour tumors tumours bleeding weakness swelling swollen lump cyst cysts blockage blocked clot clots torn sprained twisted dislocated bruised burned burnt ulcer ulcers failure disease surgery operation transplant replacement implant cancer problem problems trouble condition damage damaged weak stiff numb enlarged prolapsed ruptured cut stitches biopsy scan removal removed removing disorder deformity spasm spasms rash discharge stones polyps murmur',
);
/** Complaints that are trouble with anything else as well: only right beside the part of the body. */
const VAGUE = foldedSet('مشكلة مشاكل ضعف نقص ارتفاع انخفاض قطع ماء مياه تعب خلل');

const BODY_PARTS = foldedSet(
  'القلب قلب قلبي قلبه قلبها المخ الدماغ الرأس راسي رأسه الراس العين العيون عيني عينه عينها الأذن الأذنين أذني الأنف الحلق اللوز اللوزتين الأسنان ضرس سن ضروس لثة اللثة الفك الرقبة رقبتي الكتف كتفي كتفه الذراع ذراعي اليد يدي يده يدها الكوع الرسغ الأصابع إصبعي الصدر صدري صدره صدرها الثدي الرئة الرئتين الظهر ظهري ظهره ظهرها العمود الفقري الفقرات الفقرة الغضروف غضروف البطن بطني بطنه بطنها المعدة معدتي معدته القولون الأمعاء الكبد كبده الطحال البنكرياس المرارة الكلى الكلية كلية كليته كليتي كبد رحم ركبة مفصل صمام قرنية نخاع ثدي مرارة زائدة لوز شريان المثانة البروستاتا الرحم المبيض المبايض المبيضين عنق الحوض الورك الفخذ الركبة الركب ركبتي ركبته ركبتها ركبتيه الساق ساقي ساقه القدم قدمي قدمه رجلي رجله رجلها الرجل الرجلين الكاحل كاحلي كعب العضلة عضلة العضلات الأعصاب العصب الأوتار الوتر الرباط أربطة الصليبي المفاصل المفصل العظام العظم الجلد الدم الشرايين الشريان الأوردة الصمام الغدة الغدد النخاع الشبكية القرنية الجيوب الأنفية المسالك البولية الجهاز الهضمي التنفس الشم السمع البصر النظر الذاكرة التركيز المناعة الجنين الحوض الحبل الشوكي المرئ المريء الشرج القصبة الشعب الهوائية الأطراف اللسان الشفة الحنجرة الأحبال الخصية الجفن الحاجز',
  'heart brain head skull eye eyes ear ears nose throat tooth teeth gum gums jaw neck shoulder shoulders arm arms elbow wrist hand hands finger fingers thumb chest breast breasts lung lungs back spine disc disk rib ribs abdomen abdominal stomach belly bowel bowels colon intestine intestines liver spleen pancreas gallbladder kidney kidneys bladder prostate uterus womb ovary ovaries cervix pelvis hip hips thigh knee knees leg legs shin calf ankle ankles foot feet toe toes heel muscle muscles nerve nerves tendon tendons ligament ligaments acl meniscus joint joints bone bones skin blood artery arteries vein veins valve gland thyroid retina cornea sinus sinuses urinary tonsils appendix rectum esophagus groin vertebra vertebrae collarbone clavicle shoulderblade kneecap tailbone forehead cheek lip lips nose eyelid nail nails scalp tongue skin vision hearing eyesight memory',
);
const BETWEEN = foldedSet(
  'زراعة استئصال ترقيع منظار قسطرة تغيير تبديل فتح استبدال تثبيت في ب من علي على أسفل أعلى جهة الجهة منطقة مستوى ال حاد حادة شديد شديدة مزمن مزمنة بسيط بسيطة متكرر مستمر قوي قوية خفيف عضلة عظمة مفصل عصب صمام غدة شرايين كامل دائم مضاعف',
  'in on of the my his her their left right lower upper both a severe chronic acute bad constant sharp to with around behind inside front',
);
const BETWEEN_MAX = 4;

/** The last token of a complaint that begins at `first`, when a part of the body goes with it. */
export function complaintAt(reading: Reading, first: number): number | undefined {
  const { forms } = reading;
  const head = forms(first).plain;
  const isComplaint = head.some((form) => COMPLAINTS.has(form));
  if (isComplaint) {
    const reach = head.some((form) => VAGUE.has(form)) ? 2 : BETWEEN_MAX;
    const part = partFrom(reading, first, reach);
    if (part !== undefined) return extended(reading, part);
  }
  // `knee replacement`, `lower back pain`: the part first, in English.
  if (head[0]!.charCodeAt(0) < 0x600 && BODY_PARTS.has(head[0]!)) {
    const next = reading.tokens[first + 1];
    if (next?.type === 'word' && /^[ -]$/.test(reading.gapBefore(first + 1)) && isNoun(reading, first + 1))
      return extended(reading, first + 1);
  }
  return undefined;
}

const NOUNS = foldedSet(
  'pain pains ache aches infection infections inflammation fracture injury tumor tumour bleeding swelling lump cyst clot clots ulcer ulcers failure disease surgery operation transplant replacement implant cancer problems trouble condition damage stones polyps murmur disorder spasms biopsy removal replaced removed',
);

function isNoun(reading: Reading, at: number): boolean {
  return NOUNS.has(reading.tokens[at]!.text);
}

function partFrom(reading: Reading, first: number, reach: number): number | undefined {
  const { tokens } = reading;
  for (let at = first + 1; at <= first + reach && at < tokens.length; at += 1) {
    if (tokens[at]!.type !== 'word' || tokens[at]!.sentence !== tokens[first]!.sentence) return undefined;
    if (reading.gapBefore(at).trim() !== '') return undefined;
    if (reading.forms(at).bare.some((form) => BODY_PARTS.has(form))) return at;
    if (!BETWEEN.has(tokens[at]!.text)) return undefined;
  }
  return undefined;
}

/** Heads of illnesses that any word may complete: `داء كرون`, `متلازمة القولون`, `سرطان الحنجرة`. */
const ILLNESSES = foldedSet('داء متلازمة سرطان حمى التهاب تصلب تليف ضمور ارتجاع قرحة تسارع اضطراب اعتلال قصور فيروس');
const NOT_ILL = foldedSet(
  'في من على عن مع إلى و أو عندي عنده عندها عندكم هو هي هذا هذه اليوم أمس جديد بسيط المواعيد الطلبات الخدمة الشبكة النظام الإنترنت الأسعار العمل الموقع التطبيق الكمبيوتر الجهاز الحاسب',
);

/** The last token of an illness that the next word completes. */
export function illnessAt(reading: Reading, first: number): number | undefined {
  const next = reading.tokens[first + 1];
  if (!reading.forms(first).plain.some((form) => ILLNESSES.has(form))) return undefined;
  if (
    next?.type !== 'word' ||
    reading.gapBefore(first + 1) !== ' ' ||
    next.sentence !== reading.tokens[first]!.sentence
  )
    return undefined;
  if (NOT_ILL.has(next.text) || next.text.length < 3 || /^[يو]/.test(next.text)) return undefined;
  return extended(reading, first + 1);
}

/** What goes on with the name of an illness: where it is, which type, how bad. */
const GRADES = foldedSet('نوع النوع درجة الدرجة مرحلة المرحلة type stage grade');
const ORDER = foldedSet(
  'أول الأول أولى الأولى ثاني الثاني ثانية الثانية ثالث الثالثة ثالثة رابعة الرابعة one two three four i ii iii iv',
);
const QUALITIES = foldedSet(
  'حاد حادة مزمن مزمنة شديد شديدة متقدم متقدمة خبيث حميد وراثي وراثية نفسي نفسية رئوي رئوية كلوي كبدي قلبي قلبية دماغي دماغية معوي جلدي جلدية عصبي عصبية عضلي مناعي مناعية وبائي الدرقية اللمفاوية الليمفاوية البولية الهضمية التنفسية القلبية الدماغية العصبية التاجي التاجية الشوكي العنقي القطني المنجلية الحاد المزمن الحادة المزمنة',
);

/** The end of an illness with its part of the body and its degree. */
export function extended(reading: Reading, last: number): number {
  let end = last;
  for (let steps = 0; steps < 3; steps += 1) {
    const next = continued(reading, end);
    if (next === undefined) break;
    end = next;
  }
  return end;
}

function continued(reading: Reading, last: number): number | undefined {
  const { tokens } = reading;
  const text = (at: number): string =>
    tokens[at]?.sentence === tokens[last]!.sentence && /^ ?$/.test(reading.gapBefore(at)) ? tokens[at]!.text : '';
  const next = text(last + 1);
  if (next === '') return undefined;
  if (QUALITIES.has(next)) return last + 1;
  if (GRADES.has(next) && (ORDER.has(text(last + 2)) || tokens[last + 2]?.type === 'digits')) return last + 2;
  if ((next === 'من' || next === 'في') && GRADES.has(text(last + 2)))
    return ORDER.has(text(last + 3)) ? last + 3 : last + 2;
  const inside = next === 'في' || next === 'ب' || next === 'in' || next === 'of' ? 1 : 0;
  const part = partFrom(reading, last, inside === 0 ? 1 : BETWEEN_MAX);
  if (part === undefined) return undefined;
  return reading.tokens[part]!.text.charCodeAt(0) >= 0x600 || inside === 1 ? part : undefined;
}

/** Medicines by what they are for: `دواء السيولة`, `حبوب الغدة`, `pills for my nerves`. */
const MEDICINE = foldedSet('دواء أدوية علاج حبوب أقراص إبر إبرة حقن كبسولات مرهم بخاخ شراب مسكن مسكنات');

/** The last token of a medicine that its next word names. */
export function medicineAt(reading: Reading, first: number): number | undefined {
  const { tokens } = reading;
  if (!reading.forms(first).plain.some((form) => MEDICINE.has(form))) return undefined;
  const next = tokens[first + 1];
  if (next?.type !== 'word' || reading.gapBefore(first + 1) !== ' ' || next.sentence !== tokens[first]!.sentence)
    return undefined;
  if (!next.text.startsWith('ال') || NOT_TREATED.has(next.text)) return undefined;
  return extended(reading, first + 1);
}

/** Treatments and grains that say nothing of anybody's health. */
const NOT_TREATED = foldedSet(
  'الأسنان الشعر البشرة الوجه المشكلة المشاكل الموضوع الخلل الحساسية العطل القهوة اللقاح الهيل البن السكر اليوم الصباح المساء اللي الذي التي الآن الطقس الحشرات الماء الأرز القمح الشعير الترفيه',
);
