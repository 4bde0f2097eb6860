import { fold, stem } from './fold.ts';

/**
 * Words that mean the same over the telephone, across dialects and in both languages, so that `كنسل الموعد`,
 * `ابغى cancel الحجز` and `cancel my booking` meet. The first word of a row names the concept.
 */
const CONCEPT_ROWS: readonly string[] = [
  'want ابغي ابغا ابغ ابي نبي نبغي نبغا اريد نريد اود ودي بغيت ابا حاب wanna need',
  'cancel الغي الغاء يلغي تلغي نلغي الغ كنسل كنسلي كنسله اكنسل نكنسل كنسلت يكنسل كنسلوا كانسل ابطل شيل شيلوا احذف حذف remove delete drop-off cancle cancellation cancelling cansel',
  'book حجز احجز نحجز يحجز حجزت بوكينق booking reserve schedule بوك',
  'appointment موعد مواعيد ابوينتمنت ابوينمنت apointment appointement appoinment',
  'order طلب طلبي طلبيه طلبات طلبيتي اوردر اوردري طلبتي طلبيات',
  'package stuff things parcel shipment شحنه شحنتي شحنات طرد طردي بوكس delivery-item',
  'track تتبع اتتبع تراك تراكينق trace tracking اتابع متابعه',
  'not no dont doesnt didnt hasnt havent isnt arent wasnt cant cannot couldnt wont wouldnt never ما لا مو مب ليس مابي مابغى',
  'where wear ware وين فين اين وينه فينه وينها',
  'price سعر اسعار الاسعار تكلفه cost charge fee كم-سعر بكم سعرها سعره ثمن رسوم prices costs charges fees',
  'location موقع لوكيشن مكان عنوانكم located',
  'address عنوان عنواني العنوان ادرس',
  'change اغير تغيير غير يغير نغير بدل ابدل تبديل اعدل عدل تعديل modify update edit switch',
  'move انقل نقل اجل تاجيل ااجل ناجل اجله اقدم تقديم postpone reschedule delay',
  'open تفتحون يفتح تفتح مفتوح مفتوحين فاتحين فتح فاتح',
  'close تقفلون يقفل تسكرون يسكر تغلقون يغلق اغلاق closing',
  'hours ساعات اوقات وقت-العمل مواعيد-العمل',
  'doctor دكتور طبيب دكتوره طبيبه دكاتره اطباء الدكتور doc physician dr',
  'insurance تامين التامين تامينات انشورنس bupa بوبا التعاونيه insured',
  'human manager supervisor مدير المدير مسؤول المسؤول موظف موظفه انسان بشر شخص ادمي person agent representative operator someone somebody rep',
  'refund استرجاع استرداد فلوسي ريفند reimburse reimbursement money-back',
  'pay ادفع دفع الدفع payment payments سداد اسدد يدفع paying',
  'invoice فاتوره فواتير bill receipt',
  'parking مواقف موقف باركنق باركينق park',
  'teeth اسنان سنون سن ضرس اضراس tooth dental dentist',
  'clean تنظيف cleaning',
  'complain شكوي اشتكي شكاوي complaint اشتكى',
  'late متاخر تاخر تاخرت تاخير delayed',
  'arrive وصل يوصل توصل وصلت وصول تجي يجي جاي arrival arrives arriving come',
  'deliver bring ship shipping dispatch توصيل توصلون يوصلون توصلونه',
  'return giveback ارجع ارجاع رجعت رجع',
  'collect pickup pick استلم استلام',
  'pain ache aching hurt hurts hurting الم يعورني يعور يوجعني وجع يالمني المني توجعني تعورني',
  'child children kid kids baby اطفال طفل بزران عيال صغار ولدي بنتي',
  'installment installments تقسيط اقساط قسط بالتقسيط',
  'lost missing miss ضايع ضاع ناقص ناقصه',
  'new جديد جديده another ثاني',
  'work working تداومون تشتغلون دوام دوامكم الدوام مداومين يداوم',
  'reception ريسبشن الريسبشن استقبال الاستقبال',
  'remind ذكرني اتاكد تاكيد confirm اتذكر نسيت',
  'id هويه الهويه بطاقه اقامه',
  'heavy weight weigh وزن ثقيل',
  'home house بيت البيت',
  'damaged cracked smashed torn ripped faulty crushed ruined مكسور خربان تالف مكسوره broken',
  'talk اكلم اتكلم تكلم كلمني حولني حول speak transfer connect',
  'visa كاش فيزا مدي شبكه card cash',
  'weekend ويكند عطله اجازه-الاسبوع holiday',
  'today اليوم الحين',
  'time وقت',
];

/** Said around the point: they weigh little, and never decide alone. */
const WEAK_WORDS: readonly string[] = [
  'i im id ive me my mine we us our you your u a an the to of for on in at by with it its is are am be was were do does did',
  'can could would will shall may might want wanna wants need like love help get got have has had make made let lets',
  'please kindly just that this these those there here and or but so if then any some about from as what whats which how',
  'hey hi hello ok okay yeah well um uh er hmm actually maybe sorry excuse do make take give go going tell yet instead know',
  'ابغي ابغا ابي نبي نبغي اريد اود ودي بغيت تبي ابا حاب حابب حابه عايز عاوز محتاج احتاج اقدر ممكن لو سمحت فضلك تكفي تكفون عشان علشان',
  'انا انت احنا نحن هو هي في من الي علي عن مع لي لنا لك عندي عندكم عندك لكم كم هل ايش وش شو ايه هذا هذي هاذي اللي الذي يا ان او و ثم بس يعني طيب',
  'السلام عليكم مرحبا اهلا هلا هلو والله الله يعطيك العافيه الحين كيف شلون متي قد كان يكون اذا فيه فيها به لها له اعمل اسوي سوي اخذ عطني قول',
];

/** Noise of speech: carries nothing at all, and is taken out before matching. */
const FILLER_WORDS = new Set(
  'uh um er erm hmm ah oh eh uhm mm please kindly well like يعني اممم امم اه اا والله تكفي تكفون الله يعطيك العافيه يعافيك فضلا سمحت لوسمحت طال عمرك اخوي اختي'
    .split(' ')
    .map((word) => fold(word)),
);

function rowsOf(rows: readonly string[]): string[][] {
  return rows.map((row) => row.split(' ').map((word) => fold(word.replace(/-/g, ' '))));
}

const CONCEPTS = new Map<string, string>();
for (const row of rowsOf(CONCEPT_ROWS)) {
  const name = `=${row[0]!}`;
  for (const word of row) {
    CONCEPTS.set(word, name);
    const stemmed = stem(word);
    if (stemmed.length >= 3 && !CONCEPTS.has(stemmed)) CONCEPTS.set(stemmed, name);
  }
}
const WEAK = new Set(rowsOf(WEAK_WORDS).flat());

/** The concept a folded word stands for (`=cancel`), else its stem. */
export function term(word: string): string {
  return CONCEPTS.get(word) ?? CONCEPTS.get(stem(word)) ?? stem(word);
}

export function isWeak(word: string): boolean {
  return WEAK.has(word);
}

export function isFiller(word: string): boolean {
  return FILLER_WORDS.has(word);
}
