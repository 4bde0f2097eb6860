import { foldedSet } from '../lexicon/fold-word.ts';

/**
 * What announces a name. `strong`: whatever follows is one (اسمي, my name is). `title`: a name-like word (السيد, Mr).
 * `self`: a listed name, also one that is an ordinary word (معك). `weak`: a name that is nothing else (أنا, this is).
 */
export type Trigger = 'strong' | 'title' | 'self' | 'weak';

export const ARABIC_TRIGGERS: Readonly<Record<Trigger, string>> = {
  strong: `اسمي|إسمي|اسمي هو|أنا اسمي|اسمه|اسمها|باسم|بإسم|اسم العميل|اسم العميلة|اسم المستفيد|اسم المريض|اسم المريضة|اسم الموظف|اسم المتصل|اسم صاحب الحساب|اسم المالك|اسم الأب|اسم الأم|اسم الزوج|اسم الزوجة|الاسم الكامل|الاسم الرباعي|الاسم الثلاثي|المدعو|المدعوة|يدعى|تدعى|اسم الولد|اسم البنت|الاسم`,
  title: `السيد|السيدة|الأستاذ|الأستاذة|الدكتور|الدكتورة|المهندس|المهندسة|الشيخ|الشيخة|الكابتن|العقيد|اللواء|النقيب|الرائد|المقدم|المحامي|المحامية|يا أستاذ|يا أستاذة|د|أ|م`,
  self: `أستاذ|أستاذة|دكتور|دكتورة|مهندس|مهندسة|معك|معاك|معاكم|معكم|يكلمك|تكلمك|كنيتي`,
  weak: `أنا|هذا|هذي|هذه|العميل|العميلة|المريض|المريضة|الموظف|الموظفة|المواطن|المواطنة|المتصل|المتصلة|المستفيد|المستفيدة|المدير|زوجتي|زوجي|ابني|ولدي|بنتي|ابنتي|أخوي|أخي|أختي|والدي|والدتي|أبوي|أمي|عمي|خالي|جدي|جدتي|صديقي|زميلي|زميلتي|لصالح|لحساب|حساب|إلى|يا|مع|عن|من|كلمت|اتصل|قابلت|أبلغ|أبلغوا|بلغ|كلم|كلموا|المندوب|السائق|المحاسب|الطالب|الطالبة|والدة|والد|زوجة|ابن|طفلي|طفلتي|الكفيل|الضامن|الوكيل|المستأجر|المؤجر|الكاتب|المرسل|المستلم|من طرف|توقيع`,
};
export const LATIN_TRIGGERS: Readonly<Record<Trigger, string>> = {
  strong: `my name is|my name s|name is|full name|first name|last name|customer name|patient name|employee name|account holder|cardholder|cardholder name|beneficiary name|named|name|his name is|her name is|my full name is|goes by`,
  title: `mr|mrs|ms|miss|dr|doctor|eng|engr|prof|professor|sheikh|captain|capt|sir|madam|mister|nurse|colonel|sergeant|attorney|under the name of|in the name of|under the name`,
  self: `speaking with|spoke with|spoke to|on behalf of|account of|speak with`,
  weak: `i am|i m|im|this is|it s|speak to|talk to|talking to|customer|client|patient|employee|manager|signed|from|for|with|by|call|called|tell|ask|contact|my son|my wife|my husband|my daughter|my brother|my sister|my mother|my father|my friend|my colleague|dear|hi|hello|hey|regards|sincerely|beneficiary|sponsor|agent|driver|to`,
};

/** Ordinary words that follow triggers. Folded. */
export const NOT_A_NAME = foldedSet(
  'الله الرحمن في من على إلى الى عن مع هذا هذه هذي ذلك تلك هو هي هم نحن أنا انا أنت انت اللي الذي التي ما لا لم لن قد كان كانت يكون تكون صار صارت مو مب ليس ليست بس لكن أو او ثم إذا اذا لو إن أن كل بعض غير عند عندي عنده لدي لديه معي معه لي لك له لها لنا',
  'أبغى ابغى أبي ابي أريد اريد أود اود أحتاج احتاج أقدر اقدر أتصل اتصل اتصلت أكلم اكلم كلمت طلبت طلب وصل وصلت راح رحت جيت جاي بكلم أسأل استفسر أستفسر أشتكي ساكن ساكنة أسكن موجود موجودة متصل متصلة مريض مريضة مصاب مصابة حامل متزوج متزوجة مسلم مسيحي سعودي سعودية مقيم عميل عميلة موظف موظفة طالب طالبة مهندس دكتور مدير جاهز جاهزة متأكد متأكدة متأخر زعلان مسافر مسافرة جديد جديدة محتاج محتاجة أعاني آخذ صاحب صاحبة',
  'رقم رقمي جوال جوالي هوية هويتي حساب حسابي بطاقة بطاقتي راتب راتبي عنوان عنواني بريد إيميل موعد موعدي اسم اسمي اليوم أمس بكرة غدا الآن الحين صباح مساء الخير السلام وعليكم عليكم أهلا مرحبا شكرا نعم لو سمحت سمحتوا تكرما من فضلك فضلكم ممكن كيف متى وين أين ليش لماذا وش ايش ماذا هل',
  'شركة الشركة مؤسسة المؤسسة بنك البنك مستشفى المستشفى خدمة الخدمة العملاء قسم القسم فرع الفرع إدارة الإدارة مركز المركز وزارة الوزارة الدعم الفني المبيعات المحاسبة المدير المسؤول المشرف المندوب المحترم المحترمة الكريم الكريمة العزيز العزيزة الفاضل الفاضلة العام العامة الأول الأولى الثاني الثانية الحالي الحالية التالي التالية الماضي الماضية الوطني الوطنية التجاري الطبي البنكي السري الكامل الرباعي الثلاثي المستخدم مستخدم المنتج التطبيق الموقع',
  'السعودي السعودية العربي العربية المملكة الرياض جدة مكة المدينة الدمام المعلم المهندس الدكتور الأستاذ الشيخ الأستاذة الدكتورة واحد اثنين ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة عشرة صفر ريال ريالات سنة سنين شهر يوم ساعة دقيقة مرة بالنيابة نيابة ضمن حول خلال قبل بعد حتى أيضا كذلك جدا فقط تقريبا الوالدة الوالد زوجي زوجتي ابني بنتي والدي والدتي أمي أبوي أخوي أختي الثاني الثالث الرابع الشهري السنوي اليومي الأساسي الإجمالي الصافي الإلكتروني الرئيسي الداخلي الخارجي الشخصي الذكي الرقمي',
  'والجوال والهوية والرقم وأبغى وابغى وأريد واريد وأحتاج وعندي وساكن وجوالي ورقمي ورقم وهويتي وإيميلي وراتبي وعمري وأنا وهو وهي وما ولا وكان ومعي وأبي وابي عمري عمره عمرها يبي يبغى تبي تبغى يريد تريد يحتاج تحتاج يعاني تعاني يشتكي وصله يوصل حجز حجزت سدد دفع حول حوّل يطلب تطلب يسأل تسأل مشكلة مشكلتي تأخر تأخرت فيه فيها فيني تعبان راجع راجعت مستعجل آسف اسف بخير تمام طيب زين ممتاز خلاص يعني عشان علشان لأن بسبب بخصوص بشأن حسب وفق ضد بدون أحد احد شخص الناس مواطن أجنبي وافد',
);

/** English words that follow triggers, in lower case. */
export const NOT_A_NAME_LATIN: ReadonlySet<string> = new Set(
  `a an the this that these those my your his her our their its i you he she it we they me him us them who what when where why how which is am are was were be been being do does did done have has had having can could will would shall should may might must not no yes ok okay please thanks thank hello hi hey dear sorry
  and or but so if then because as of at by for from in into on onto to with without about over under after before between during until till since up down out off again also just only very too more most less least much many some any all each every both few other another such same than here there now today tomorrow yesterday
  calling call called looking trying going getting having waiting asking speaking talking living working interested happy sad sick pregnant diabetic muslim christian jewish hindu buddhist saudi american british indian egyptian ready sure late new old good bad fine great well busy free available single married divorced divorcing unemployed retired afraid worried concerned
  customer client patient employee manager agent support service services sales team department company bank hospital clinic account number card order ticket phone mobile email address date name id iqama passport salary password code pin otp id's doctor nurse engineer mr mrs ms dr sir madam about regarding concerning urgent important ridiculous great your
  riyadh jeddah dammam khobar makkah mecca medina madinah taif tabuk abha saudi arabia kingdom gulf dubai january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday morning evening night afternoon noon ramadan eid hajj umrah vision neom aramco sabic stc mobily zain absher tawakkalna whatsapp google apple amazon microsoft facebook instagram twitter iphone android
  want wants need needs like likes know think believe see said says say tell told ask asked help make take give get got go went come came one two three four five six seven eight nine ten zero first second third last next previous full dear everyone everybody someone somebody anyone anybody nobody people person man woman guy lady gentleman sales marketing finance hr admin info team card holder holder's center centre branch line file report request issue problem question case meeting project product update version policy contract invoice payment delivery`.split(
    /\s+/,
  ),
);
