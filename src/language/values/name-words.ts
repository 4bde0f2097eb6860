import { fold } from '../fold.ts';

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' ').map((word) => fold(word)));
}

function triggers(phrases: string): readonly (readonly string[])[] {
  return phrases
    .split('|')
    .map((phrase) => fold(phrase).split(' '))
    .sort((a, b) => b.length - a.length);
}

/** Say what somebody else is called. */
const CALLED = 'اسمه|اسمها|اسمو|is called|is named';
/** Say the name of whom it is for: they count more than the name of who speaks. */
const OF_ANOTHER =
  `${CALLED}|اكتب|سجل|سجلي|سجلها|اكتبي|اكتبه|اكتبها|سجليه|سجليها|سجله|حط|حطي|حطه|حطيه|خله|خليه|خليها|بالبطاقه|في البطاقه|بالهويه|في الهويه|` +
  'the name of|is for|its for|officially|on the card is|on the card its|on paper';
/** Begin other sentences as well: enough when the name was asked for, not otherwise. */
const WEAK = `i am|im|it is|its|this is|thats|that is|انا|معك|معاك|that would be|its under|it is under|${OF_ANOTHER}`;
const STRONG =
  'my full name is|my name is|the name is|name is|the names|my names|call me|you can call me|under the name|put it under|book it under|' +
  'make it under|put down|it goes under|her name is|his name is|' +
  'حطها باسم|اسمي الكامل|اسمي هو|اسمي|انا اسمي|باسم|الاسم|سجل باسم|اخوك|اختك|اسم الولد|اسم البنت|اسم الطفل|اسم الطفله|اسم المريض|اسم المريضه|' +
  'الحجز باسم|خليه باسم|خليها باسم';
/** Of the weak ones those that say who speaks. */
export const SPEAKER_TRIGGERS = triggers('i am|im|this is|انا|معك|معاك|معاج|معكم|معاكم');
export const WEAK_TRIGGERS: ReadonlySet<string> = new Set(WEAK.split('|').map(fold));
export const TRIGGERS = triggers(`${STRONG}|${WEAK}`);
export const ANOTHERS_TRIGGERS = triggers(`her name is|his name is|${OF_ANOTHER}`);
export const CALLED_TRIGGERS = triggers(`her name is|his name is|${CALLED}`);

export const TITLES = wordSet(
  'mr mrs ms miss dr doctor madam uncle aunt الاستاذ استاذ الاستاذه استاذه الدكتور الدكتوره مدام السيد السيده الشيخ الحاج الحاجه المهندس عمك خالتك',
);
/** Before who somebody is to the caller. */
export const OF_SOMEBODY = wordSet('my our his her name');
/** Beside the words for kin; some of them are also said to whoever answers. */
export const CLOSE = wordSet('اختي اخوي خوي مراتي جوزي');
export const CORRECTS = wordSet('no nope sorry actually rather لا عفوا قصدي اقصد اسف');
export const ENDS_NAME = wordSet(
  'and for to at on the from i want please thanks thank with as my number is calling here speaking enough ' +
    'و ابغى ابي عشان علشان اريد ورقمي رقمي جوالي يوم من على في حق وابغى شكرا لو بكره الساعه بعد قلت قلتلك قلنا يكفي وبس بسرعه وهو وهي وهم ' +
    'والباقي الباقي ورقمه ورقمها ورقمنا رقمه رقمها وجوالي وجواله وجوالها وموعدي وموعده وموعدها',
);
export const NEVER_NAMES = wordSet(
  'مو مب مش موب ماني الي الى من to than i me you he she we they this that thats hes shes انا انت انتي هو هي احنا تبغين تبين تبغون تبي تريد تريدين ' +
    'المريض المريضه العميل العميله الزبون ' +
    'باسمي اسمي الحجز الموعد حجز موعد لامي خليه خله حطه dont not have know same nobody none the my ما عندي مدري ادري اعرف ابغى ابي ودي اريد ' +
    'العيال الاولاد الاطفال kids children هذا هذي هذه ده دا دي هاد هاي نفس كذا بدون what when where why how ' +
    'who which can could do does is are will would book cancel change repeat ' +
    'help wait hello hi thanks bye yes no sorry ايش وش وين متى كيف كم ليش مين هل ممكن مرحبا هلا السلام شكرا احجز الغي عيد نعم لا ايوه',
);
/** `the name is wrong, Rima`: said of the name before it. */
export const WRONG = wordSet('wrong incorrect غلط خطا خاطي');
/** Parts of the day that nobody is called. */
export const PARTS_OF_DAY = wordSet(
  'morning afternoon evening tonight noon am pm الصبح الصباح الظهر العصر المغرب العشا العشاء المسا المساء الليل بالليل مساء ظهرا عصرا صباحا',
);
/** Everyday words that people are also called. */
export const ALSO_NAMES = wordSet('will may mark hope grace guy long early خير زين سعيد حبيب');
/** Ali is spelt like `on`, which is said before these. */
export const AFTER_ON = wordSet('رقمي جوالي رقم جوال نفس اسم الاسم');
