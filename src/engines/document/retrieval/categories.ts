import { arabicStem } from '../../../language/arabic-stem.ts';
import { englishStem } from '../../../language/english-stem.ts';
import { foldWord } from './words.ts';

/** What a question asks for one of (`which language`), and words by which a text names one without saying what it is. */
const ROWS: readonly (readonly [asked: string, said: string])[] = [
  [
    'language tongue لغة لغات',
    'english arabic french german latin greek spanish italian portuguese dutch russian chinese japanese turkish persian hebrew aramaic norse norwegian danish swedish icelandic finnish polish hungarian czech irish welsh scots gaelic sanskrit hindi urdu malay swahili coptic syriac العربية الإنجليزية الفرنسية الألمانية اللاتينية اليونانية الإسبانية الإيطالية البرتغالية الهولندية الروسية الصينية اليابانية التركية الفارسية العبرية الآرامية السريانية النرويجية الأردية الهندية القبطية الأمازيغية الكردية العثمانية',
  ],
  [
    'nationality country nation citizenship جنسية دولة بلد',
    'english british scottish welsh irish french german italian spanish portuguese dutch belgian swiss austrian danish swedish norwegian finnish icelandic polish russian greek turkish egyptian american canadian mexican brazilian chinese japanese korean indian persian iranian arab syrian lebanese iraqi moroccan australian hungarian czech إنجليزي بريطاني فرنسي ألماني إيطالي إسباني برتغالي هولندي بلجيكي سويسري نمساوي دنماركي سويدي نرويجي فنلندي بولندي روسي يوناني تركي مصري أمريكي كندي برازيلي صيني ياباني كوري هندي فارسي إيراني سوري لبناني عراقي مغربي تونسي جزائري سوداني يمني أردني فلسطيني كويتي سعودي يوغوسلافي أرمني مجري تشيكي إنجليزية بريطانية فرنسية ألمانية إيطالية إسبانية هولندية روسية تركية مصرية أمريكية هندية سورية لبنانية عراقية مغربية',
  ],
  [
    'country nation state دولة بلد دول بلدان',
    'england britain scotland wales ireland france germany italy spain portugal netherlands holland belgium switzerland austria denmark sweden norway finland iceland poland russia greece turkey egypt america canada mexico brazil chile argentina peru china japan korea india iran syria lebanon iraq morocco australia zealand hungary إنجلترا بريطانيا فرنسا ألمانيا إيطاليا إسبانيا البرتغال هولندا بلجيكا سويسرا النمسا الدنمارك السويد النرويج فنلندا بولندا روسيا اليونان تركيا مصر أمريكا المتحدة كندا البرازيل الصين اليابان كوريا الهند باكستان إيران سوريا لبنان العراق المغرب تونس الجزائر السودان اليمن الأردن فلسطين الكويت السعودية عمان قطر البحرين الإمارات أستراليا بالاو',
  ],
  [
    'colour color shade لون ألوان',
    'black white red green blue yellow grey gray brown orange purple violet pink silver golden cream turquoise crimson scarlet أسود أبيض أحمر أخضر أزرق أصفر رمادي بني برتقالي بنفسجي وردي فضي ذهبي فيروزي سوداء بيضاء حمراء خضراء زرقاء صفراء بنفسجية رمادية بنية وردية ذهبية',
  ],
  [
    'month months شهر أشهر شهور',
    'january february march april may june july august september october november december يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر محرم صفر ربيع جمادى رجب شعبان رمضان شوال القعدة الحجة',
  ],
  ['season seasons موسم فصل', 'spring summer autumn fall winter الربيع الصيف الخريف الشتاء ربيع صيف خريف شتاء'],
  [
    'day days weekday يوم أيام',
    'monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays الأحد الاثنين الإثنين الثلاثاء الأربعاء الخميس الجمعة السبت',
  ],
  [
    'disease illness epidemic ailment infection condition sickness مرض وباء أمراض داء',
    'smallpox plague cholera typhus typhoid measles malaria tuberculosis consumption leprosy scurvy influenza flu fever diabetes cancer pneumonia hepatitis polio asthma stroke dysentery jaundice arthritis الجدري الطاعون الكوليرا التيفوس التيفوئيد الحصبة الملاريا السل الجذام الإنفلونزا الحمى السكري السرطان الكبد شلل الربو الزحار اليرقان',
  ],
  [
    'material materials substance substances stone مادة مواد خامة',
    'concrete stone granite marble limestone sandstone basalt brick bricks clay mud wood timber oak cedar teak iron steel copper bronze brass lead tin zinc gold silver glass paper cotton wool silk leather ivory bone wax plaster cement gypsum sand salt rubber plastic carbon calcium silica ceramic porcelain bamboo straw خرسانة حجر حجارة جرانيت غرانيت رخام بازلت طوب طين خشب جوز حديد فولاذ صلب نحاس برونز رصاص ذهب فضة زجاج ورق قطن صوف حرير جلد عاج عظم عظام شمع جص إسمنت جبس رمل ملح مطاط كربون كلس خيزران جريد سعف قش بلاستيك كربونات',
  ],
  [
    'metal metals معدن معادن',
    'iron steel copper bronze brass lead tin zinc gold silver aluminium platinum nickel mercury حديد فولاذ نحاس برونز رصاص قصدير زنك ذهب فضة ألمنيوم بلاتين نيكل زئبق',
  ],
  [
    'animal animals creature beast species mammal حيوان حيوانات كائن',
    'horse horses donkey mule mules camel camels ox oxen cow cattle sheep goat goats pig pigs dog dogs cat cats wolf fox bear lion tiger elephant monkey deer reindeer seal otter beaver rat mouse rabbit bat whale dolphin terrier falcon eagle حصان أحصنة خيول خيل حمار حمير بغل بغال جمل جمال إبل ناقة ثور ثيران بقر بقرة أبقار غنم أغنام خروف ماعز كلب كلاب قط قطط ذئب ثعلب دب أسد نمر فيل قرد قرود غزال أرنب فأر حوت دلفين صقر وعل مها',
  ],
  [
    'bird birds طائر طيور',
    'falcon falcons eagle eagles hawk owl swan goose geese duck ducks gull gulls stork storks crane pigeon pigeons dove raven crow crows sparrow swallow heron puffin puffins penguin parrot peacock ostrich flamingo albatross kestrel صقر صقور نسر نسور بومة بجعة إوز بط نورس نوارس لقلق كركي حمام حمامة غراب عصفور بلبل هدهد ببغاء طاووس نعامة فلامنغو بطريق سنونو',
  ],
  [
    'fish fishes seafood سمك أسماك',
    'salmon trout cod herring tuna sardine sardines shark eel carp pike perch mackerel halibut bass anchovy هامور سلمون تونة سردين قرش شعري كنعد زبيدي بلطي',
  ],
  [
    'tree trees plant plants wood crop crops شجر شجرة أشجار نبات محصول محاصيل',
    'oak pine cedar birch beech elm alder ash willow maple poplar olive palm palms fig almond apple cherry vine vines wheat barley rye oats rice maize corn cotton flax sugar tobacco coffee tea saffron potato potatoes hop بلوط صنوبر أرز زيتون نخل نخيل تين لوز تفاح كرم عنب قمح شعير ذرة قطن كتان سكر تبغ بن شاي زعفران بطاطس سدر سمر غاف أثل طلح عرعر رمان حناء',
  ],
  [
    'profession occupation job trade living مهنة وظيفة حرفة عمل',
    'teacher schoolteacher schoolmaster engineer lawyer doctor physician surgeon nurse farmer fisherman sailor merchant trader carpenter cabinetmaker blacksmith smith mason tailor weaver baker butcher miner clerk banker accountant printer painter poet writer journalist soldier officer priest pastor shepherd potter cook goldsmith watchmaker pharmacist chemist architect professor librarian معلم مدرس مهندس محام محامي طبيب جراح ممرض مزارع فلاح صياد بحار تاجر نجار حداد بناء خياط نساج خباز جزار كاتب صيرفي محاسب رسام شاعر صحفي جندي ضابط إمام راعي طباخ صائغ صيدلي أستاذ غواص خطاط',
  ],
  ['headland cape رأس', 'cape head point رأس'],
  [
    'ship vessel boat سفينة مركب باخرة',
    'steamer ship frigate schooner brig galley yacht ferry tanker liner destroyer submarine boat trawler dhow barge سفينة باخرة قارب مركب بارجة غواصة يخت عبارة ناقلة سنبوك بوم',
  ],
  [
    'weapon weapons arms سلاح أسلحة',
    'gun guns cannon cannons rifle sword swords bow bomb bombs spear dagger torpedo mine mines missile مدفع مدافع بندقية بنادق سيف سيوف قوس قنبلة قنابل رمح خنجر صاروخ لغم ألغام',
  ],
  [
    'scientist scholar researcher expert عالم باحث',
    'chemist physicist biologist botanist zoologist geologist astronomer mathematician physician naturalist anatomist volcanologist archaeologist historian palaeontologist geographer anthropologist psychologist economist linguist engineer كيميائي فيزيائي أحيائي نبات جيولوجي فلكي رياضي طبيب مؤرخ جغرافي آثار',
  ],
  [
    'party organisation organization group association body club منظمة جهة حزب جمعية هيئة مؤسسة',
    'party union league front society association committee council board institute agency foundation federation commission ministry company trust academy club اتحاد حزب جمعية لجنة مجلس هيئة معهد وكالة مؤسسة وزارة شركة أكاديمية نادي منظمة رابطة مركز إدارة',
  ],
  [
    'company firm manufacturer business شركة مصنع',
    'company ltd inc corporation firm brothers sons works motors airlines bank group شركة مؤسسة مصنع مجموعة إخوان',
  ],
  [
    'university school college institution جامعة مدرسة معهد كلية',
    'university college school academy institute جامعة كلية مدرسة معهد أكاديمية',
  ],
  [
    'newspaper magazine journal paper صحيفة جريدة مجلة',
    'times post herald gazette tribune chronicle newspaper journal magazine weekly daily press guardian courier صحيفة جريدة مجلة',
  ],
  [
    'award prize medal honour honor جائزة وسام تكريم',
    'prize award medal order nobel oscar trophy cup knighted جائزة وسام ميدالية نوبل كأس درع لقب',
  ],
  [
    'instrument آلة',
    'violin piano organ flute guitar lute drum drums harp trumpet cello clarinet bagpipes oboe كمان بيانو عود ناي قيثارة طبل دف ربابة قانون بوق مزمار',
  ],
  [
    'sport game games رياضة لعبة',
    'football soccer cricket rugby tennis chess hockey golf swimming rowing boxing wrestling polo basketball volleyball cycling كرة قدم شطرنج سباحة تجديف ملاكمة مصارعة سلة طائرة فروسية تنس جري',
  ],
  [
    'religion faith ديانة دين',
    'christian christianity catholic protestant orthodox muslim islam jewish judaism buddhist buddhism hindu hinduism pagan quaker lutheran مسيحية إسلام مسلم يهودية بوذية هندوسية نصرانية وثنية',
  ],
  ['direction side اتجاه جهة', 'north south east west northern southern eastern western شمال جنوب شرق غرب'],
  [
    'currency money عملة',
    'crowns pounds dollars francs marks florins guilders euros lira riyals dinars dirhams rupees shillings pesos roubles ducats ريال دينار درهم دولار جنيه ليرة فرنك يورو روبية',
  ],
  [
    'fuel energy power وقود طاقة',
    'coal oil gas wood steam petrol diesel electricity charcoal peat hydrogen uranium solar فحم نفط غاز خشب بخار بنزين ديزل كهرباء حطب شمسية',
  ],
  [
    'drink beverage مشروب شراب',
    'water tea coffee beer wine milk juice ale brandy gin rum whisky ماء شاي قهوة حليب عصير لبن',
  ],
  [
    'food dish meal ingredient طعام طبق وجبة غذاء مكون',
    'bread rice meat fish cheese butter soup stew honey dates figs olives potatoes cabbage sugar salt pie cake خبز أرز لحم سمك جبن زبدة حساء مرق عسل تمر تين زيتون سكر ملح سمن لبن',
  ],
  [
    'planet star body كوكب',
    'mercury venus mars jupiter saturn uranus neptune sun moon عطارد الزهرة المريخ المشتري زحل أورانوس نبتون الشمس القمر',
  ],
  [
    'sense organ body part عضو جزء حاسة',
    'heart liver lung lungs kidney kidneys brain eye eyes ear ears skin throat stomach bone bones blood spleen nerve tail neck leg arm hand head القلب الكبد الرئة الكلى الدماغ العين الأذن الجلد الحلق المعدة العظام الدم الطحال العصب الرقبة اليد الرأس',
  ],
  [
    'event disaster cause حدث كارثة',
    'war fire flood earthquake storm gale plague famine drought siege battle revolution collapse explosion eruption strike raid landslide حرب حريق فيضان سيل زلزال عاصفة طاعون مجاعة جفاف حصار معركة ثورة انهيار انفجار ثوران إضراب غارة',
  ],
];

const CATEGORIES = new Map<string, ReadonlySet<string>[]>();

/** One form for the comparison: light stems. */
function plain(folded: string): string {
  return /[\u0621-\u06d3]/.test(folded)
    ? arabicStem(folded.length >= 5 ? folded.replace(/^[وفبل](?=ال)/, '') : folded)
    : englishStem(folded);
}

for (const [asked, said] of ROWS) {
  const examples = new Set(said.split(' ').map((word) => plain(foldWord(word))));
  for (const word of asked.split(' ')) {
    const key = plain(foldWord(word));
    const known = CATEGORIES.get(key);
    if (known) known.push(examples);
    else CATEGORIES.set(key, [examples]);
  }
}

/** Whether there are words that name one of what `folded` means; see `namesOneOf`. */
export function isCategory(folded: string): boolean {
  return CATEGORIES.has(plain(folded));
}

/** Whether one of `words` (folded) names one of what `category` means: `smallpox` is a `disease`. */
export function namesOneOf(category: string, words: Iterable<string>): boolean {
  const sets = CATEGORIES.get(plain(category));
  if (!sets) return false;
  for (const word of words) {
    const form = plain(word);
    if (sets.some((examples) => examples.has(form))) return true;
  }
  return false;
}
