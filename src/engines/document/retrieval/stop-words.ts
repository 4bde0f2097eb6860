import { englishStem as stem } from '../../../language/english-stem.ts';
import { fold } from '../../../language/fold.ts';

function setOf(rows: readonly string[]): ReadonlySet<string> {
  return new Set(rows.flatMap((row) => row.split(' ').map((word) => fold(word))));
}

/** Words that ask, point or join: they carry nothing to look for. */
const STOP = setOf([
  'a an the this that these those there here it its he him his she her they them their we us our you your i me my mine one ones',
  'is are am was were be been being do does did done doing has have had having can could may might must shall should will would',
  'of in on at by for from to into onto with without within during about as than then and or but if so not no nor any some all each every both either',
  'what which who whom whose when where why how whether much many please tell know want like just also only very too more such other another',
  "it's what's who's where's when's i'm i'd don't doesn't didn't isn't aren't can't im id dont doesnt didnt isnt arent cant whats wheres",
  'up out over under between after before while until since per via etc upon according based regarding concerning exactly actually currently ever yet still else',
  'في من الي علي عن مع او ثم ان انه انها اذا لو كان كانت يكون تكون هو هي هم هل ما ماذا لماذا متي اين وين فين كيف كم ايش وش شنو ليش ليه مين منو اي ايه اية',
  'هذا هذه ذلك تلك هذي هاذي التي الذي الذين اللي لي لنا لك لكم له لها لهم بي به بها فيه فيها منه منها عليه عليها اليه اليها عند عندكم عندي لدي لدى لديكم لديه',
  'و ف ب ل ك قد لقد كل بعض غير بين حتي عندما حين خلال بعد قبل دون بدون كما مثل ايضا فقط حيث لا لم لن ليس ليست مو مب ولا وهل فهل انا نحن انت هناك هنا تم يتم وما وكم ومتي بكم',
  'now today nowadays off put الان اليوم حاليا يعني طيب والله تكفي تكفون الله يعطيك العافيه uh um er hmm well ok okay دحين الحين توا يا خوي اخوي اختي حبيبي استاذ عشان علشان لاجل اللي لو',
  'باي لاي باية اللتين اللذين اللتان اللذان اللواتي بماذا مما فيم بم علام الام لم لماذا منذ اثناء سوي الا لكن بل اذ ما ماهو ماهي وماذا ولماذا بمن لمن عمن ممن',
  'going gone went whose onto against among upon through throughout despite although though because around across along towards toward upon beside behind besides instead rather',
  'ابي ابغي اريد اود نبي ابغا ودي ممكن اقدر نقدر تقدر تقدرون يمكن يمكنني يمكننا لوسمحت فضلا سمحت رجاء اعرف معرفه اخبرني قل',
]);

/** Verbs and nouns that may stand in any question: worth something when found, little when missing. */
const SOFT = setOf([
  'weekday weekdays become age اصبح اصبحت صار يصبح قبله uses order ordered ordering calculate calculated count counted يحسب تحسب محسوب احسب say said says state stated mention mentioned describe described explain given give gives provide provided provides offer offers offered get gets got take takes taken make made',
  'happen happens happened use used using apply applies called call name named names type types kind kinds people person thing things way ways main following need needs required',
  'receive receives received become became go goes include included includes including consider considered refer known first last new different many part number total amount',
  'time times date day place policy document file text contract rule rules page customer customers client clients entitled eligible get allow allowed cover covered covers work works long old far often',
  'high tall heavy deep wide fast soon big small loud above below level current follow follows doing answer question',
  'accept accepts accepted available possible information detail details contact reach ask set come company agreement due take keep let put send bring look find want try help service services staff',
  'يحصل تحصل احصل نحصل يوجد توجد تقدم يقدم تقدمون يذكر ذكر مذكور نص ينص اسم اسماء نوع انواع شخص اشخاص طريقه رئيسي رئيسيه عدد مجموع مبلغ مقدار قيمه وقت تاريخ مكان سياسه ملف مستند وثيقه عقد شروط',
  'عميل عملاء شركه خدمه خدمات متاح متوفر متوفره معلومات تفاصيل عندهم يستحق مستحق استحق تستحق حسب وفق وفقا المذكور اعتبر تعتبر يعتبر تسمي يسمي سمي بلغ يبلغ تبلغ اول اخر حد الحد',
  'يصير صار حصل اسوي نسوي اعمل يعمل تعمل عمل يستغرق تستغرق ياخذ تاخذ يجب يلزم لازم المطلوب مطلوب مطلوبه تكون تصل يصل وصل قام يقوم تم مسموح يسمح يجوز يحق امكن قدر مده فتره فعل فعلت يفعل',
  'believe think thought consider considered hold held strike struck able even down stay stayed free near end once most original join joined declare declared turn run normal set public off see saw seen fixed fix ultimately able lead put bring brought lot kind sort item thing role purpose function own owned reason cause made begin began allow allowed limited exactly roughly approximately',
  'استخدم استخدمت يستخدم تستخدم استخدام ظل تولي تولت صاحب خاص خاصه زمن ناس وظيفه ظاهره يسبب سبب جعل مواد ماده تحتاج يحتاج استطيع يستطيع افراد تبدو يبدو وضع وضعت غيرها غيره شيء اشياء امر دور اثناء وقوع توقع يتوقع متوقع ادي ادت اصبح صارت ظهر ظهرت حدث حدثت يحدث جري جرت',
  'يوم ايام ساعه ساعات شهر اشهر شهور سنه سنوات دقيقه دقائق اسبوع اسابيع مره مرات عام رقم عمر ارتفاع طول وزن عرض',
]);

const SOFT_STEMS: ReadonlySet<string> = new Set([...SOFT].filter((word) => /^[a-z]/.test(word)).map(stem));

export function isStop(folded: string): boolean {
  return STOP.has(folded);
}
export function isSoft(folded: string): boolean {
  return SOFT.has(folded) || (/^[a-z]/.test(folded) && SOFT_STEMS.has(stem(folded)));
}
