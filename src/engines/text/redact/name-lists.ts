import { foldedSet, foldWord } from '../lexicon/fold-word.ts';

/** Given names that are nothing else in a sentence. Folded. */
export const GIVEN_NAMES = foldedSet(
  'محمد أحمد عبدالله عبدالرحمن عبدالعزيز عبدالملك عبدالمجيد عبدالإله عبدالكريم عبداللطيف عبدالوهاب عبدالهادي عبدالحميد عبدالسلام عبدالمحسن عبدالرزاق عبدالقادر عبدالرحيم عبدالجبار عبدالباسط عبدالناصر عبدالمنعم عبدالغني عبدالحكيم عبدالعظيم عبدالفتاح',
  'خالد فهد سعود سلمان سلطان تركي نايف بندر مشعل مشاري متعب فيصل نواف ماجد ياسر طلال وليد هاني هشام عماد إبراهيم إسماعيل يوسف يعقوب إسحاق موسى عيسى داود سليمان أيوب يونس زكريا إلياس هارون عثمان عمر علي حسين حمد حمود حمدان محمود مصطفى',
  'مازن مهند معاذ أنس أسامة حمزة طلحة زياد سامي رامي شادي باسم باسل غسان مروان عدنان نزار رياض منصور ثامر صقر غازي جابر جاسم قاسم كاظم عباس حيدر مرتضى مهدي رضا باقر إياد لؤي قصي عدي أمجد أشرف أيمن أكرم أنور بلال جمال حاتم حازم خليل رائد رأفت رمزي زهير',
  'سعد مساعد مبارك مقرن معتز مؤيد مالك مطلق مفلح محسن محيسن نادر نبيل نعيم هيثم وائل يزن يحيى ناصر راشد طارق زيد سالم جهاد ضياء عاصم عامر عايض عايد عبيد عبده عوض عواد غانم غالب فارس فايز فراس فواز فؤاد كمال لافي',
  'فاطمة عائشة خديجة مريم زينب سارة نورة نوره هيا العنود الجوهرة جواهر منيرة موضي حصة لطيفة هند لمياء لينا لين دانة ديما رهف رنا ريما رغد روان رزان غادة غدير نوف نجلاء نادية ندى مها مشاعل مرام منال ليلى لبنى لولوة سمية سلوى سلمى',
  'راكان سطام مسفر معيض ظافر شايع فالح مرزوق منيف هذال بتال جلوي دخيل شافي ضيدان عساف محماس مشبب مفرح ناجي فهاد لاحق غرمالله عطالله جارالله نعمان لقمان وديع جورج إيهاب تامر كريمان شريفة علاء حسام محمدي إقبال عرفان جاويد',
  'أثير أسيل البندري الشيماء تولين جوانا دارين دعاء رتيل رنيم روابي ريتاج ريناد زينة سديم سيرين عبلة عزة غزل فاتن فدوى كادي لارا لانا لمار ليان ميار ميساء نايفة نوال نورهان يارا بدرية فهدة شيخة طرفة مضاوي عفراء حفصة رقية كلثوم أميمة سندس ماريا نسرين نسيبة رولا رانيا ميسون إلهام انتصار',
  'سحر سهام سعاد سميرة شيماء شذى شروق صفية عبير عهود عفاف فوزية فايزة هيفاء هيلة هاجر وجدان وعد يسرى ياسمين بشاير بدور بثينة أسماء أروى أريج أفنان إيناس ابتسام ابتهال الهنوف تهاني تغريد ثريا حنان خلود دلال رحاب رابعة زهراء زهرة',
);

/** Given names that are also ordinary words: names only after a trigger or before a family name. Folded. */
export const AMBIGUOUS_GIVEN_NAMES = foldedSet(
  'سعيد صالح عادل أمل جميل كريم نور فرح سلام هدى منى وفاء رجاء أماني إيمان حسن بدر نجم سيف ليث شهد ريم جود غلا لمى صبا حياة جنان جنى وسام علي عمر أمين رشيد حكيم حليم شريف ماهر ضيف هلال بشير نذير أمير أميرة وردة فجر ربيع رمضان شعبان عيد مناحي فرحان عزيز عزيزة',
  'مطر حرب ذيب ضاري صلاح نجاح فلاح كفاح نصر فتح ثابت صابر صادق شاكر حامد ساجد عابد زاهر باهر نجوى سناء ضحى إسراء آلاء آمنة أمنية بيان تالا جميلة رحمة رؤى سجى سكينة سما شمس عالية غيداء كوثر ملاك نعمة هبة هناء هيام وسن يقين وداد نهى عواطف مراد فادي هادي راضي ساري وافي كامل فاضل خليفة عطية عطا غنيم هزاع',
);

/** Family names and nisbas without the article. Folded. */
export const FAMILY_NAMES = foldedSet(
  'الحربي العتيبي القحطاني الغامدي الزهراني الشهري الدوسري الشمري المطيري العنزي السبيعي البلوي الجهني الرشيدي العمري الأحمدي الشهراني الأسمري البقمي الثبيتي السلمي الهذلي الخالدي السهلي الهاجري العجمي المري اليامي النجراني الأكلبي السعدي الرويلي الشراري الحويطي',
  'الصاعدي اللحياني البيشي المالكي الحارثي القرني العسيري الألمعي المحمدي الفيفي الحكمي الجيزاني المدخلي الهمداني الخثعمي الوادعي الزبيدي القرشي الشريف الهاشمي السقاف العطاس باوزير باعشن بامطرف العمودي بقشان الراجحي السديري السليمان التميمي الخليفة النعيمي العبدالله السويلم',
  'الفوزان العثيمين العبداللطيف الجبرين البسام السعدون الدخيل الحمدان الفهد الناصر الصالح العلي المحمد الأحمد الحسن الحسين العمر السالم الراشد الخطيب النجار الحداد الصباغ الحلبي المصري الشامي اليمني العراقي الكردي التركي الخياط الطويل القصير المهنا الغانم الملحم الدوسري السيف المطلق',
  'المنصور العيسى الموسى الجاسم الهويمل العقيل الربيعة المزيني المزيد الفالح الضويان الشثري العريفي الحميد الحمود الحماد الصقر الصقير الغنام البراك الجربوع السدحان القصبي الجدعان النملة العمار الثنيان الجفري الكاف الحازمي الصبحي الرحيلي المغامسي الجابري الحجيلي النخلي الفريدي',
  'الدغيلبي العصيمي الروقي النفيعي المقاطي العازمي المرواني الزايدي الطويرقي الفهمي الكثيري الجعيد الوذيناني الشلوي اللهيبي الصيعري المهري العوفي الفقيه السلولي الشيباني الكناني الأنصاري خوجة قاري فلمبان جمجوم نصيف باناجة باجنيد باخشب الباز الفقي الجمال السيد المقرن الشايع الحصين السبيعي العجلان الرميح المطرودي البكري الزعبي الخوالدة',
);

/** Given names in Latin letters that are nothing else. */
export const LATIN_GIVEN_NAMES: ReadonlySet<string> = new Set(
  `ahmed ahmad mohammed mohamed muhammad mohammad mohamad abdullah abdulla abdulrahman abdulaziz abdulmalik abdulmajeed abdulkarim abdullatif abdul khalid khaled fahad fahd saud salman sultan turki nayef naif bandar mishal meshal mishari faisal nawaf majed majid yasser yasir talal waleed walid hani hisham imad ibrahim ismail yousef youssef yusuf yaqoub musa issa dawood
  sulaiman suleiman ayoub younis zakaria haroun othman uthman omar umar ali hassan hasan hussain hussein hamad hamoud hamdan mahmoud mustafa mazen muhannad muath anas osama usama hamza talha ziyad sami rami basel ghassan marwan adnan nizar mansour mansoor thamer saqr ghazi jaber jassim qasim abbas haider mahdi bilal jamal hatem hazem khalil raed nasser nasir rashid
  saad saeed salem saleh tariq tarek badr mubarak meshari moath muteb naser nader nabil haitham wael yazan yahya amer ayed fares fawaz fayez firas fouad kamal adel ammar
  fatima fatimah aisha ayesha khadija maryam mariam zainab zeinab sara sarah noura nora norah haya hessa latifa hind lamia lina leen dana deema rahaf rana reema reem raghad rawan razan ghada ghadeer nouf najla nadia nada maha mashael maram manal layla laila lubna sumaya salwa salma sahar samira shaima abeer hanan huda amal amani asma arwa afnan areej
  james john robert michael william david richard joseph thomas charles christopher daniel matthew anthony steven paul andrew joshua kenneth kevin brian george timothy ronald edward jason jeffrey ryan jacob nicholas eric jonathan stephen larry justin scott brandon benjamin samuel gregory alexander patrick jack dennis jerry tyler aaron peter henry adam nathan douglas zachary kyle
  mary patricia jennifer linda elizabeth barbara susan jessica karen lisa nancy betty sandra margaret ashley kimberly emily donna michelle carol amanda melissa deborah stephanie rebecca laura cynthia dorothy amy kathleen angela shirley emma anna brenda pamela nicole samantha katherine christine helen rachel carolyn janet maria catherine heather diane olivia julie joyce victoria kelly lauren christina joan evelyn judith megan andrea cheryl hannah jacqueline martha gloria teresa ann sophia
  bassam bassem samer wissam jihad nayif rakan mosab musab ziad nizam kareem ameer ameen amin hakim habib idris ilyas luqman munir najib qais rafiq rauf riad shadi sharif suhail wajdi yaser zahir zain marwa mona nadine nada nisreen rania rima rola sabrina sawsan sumayyah tahani wafa yara yasmin yasmeen zahra jawaher mounira munira latifah nourah hessah ruba bushra ghaida jude joud lujain lama
  priya rahul amit rajesh suresh anil sunil vijay ravi sanjay deepak imran asif usman bilal farhan kashif zubair arjun lakshmi anjali pooja jose juan carlos miguel luis pedro ana rosa maricel jomar`.split(
    /\s+/,
  ),
);

/** English family names common enough to follow a listed given name in lower case. */
export const LATIN_FAMILY_NAMES: ReadonlySet<string> = new Set(
  `alharbi alotaibi alqahtani alghamdi alzahrani alshehri aldosari alshammari almutairi alanazi harbi otaibi utaibi qahtani ghamdi zahrani shehri shahri dosari dossary dawsari shammari mutairi anazi enezi subaie balawi juhani rashidi amri omari shahrani asmari malki maliki harthi qarni asiri rajhi
  smith johnson williams brown jones garcia miller davis wilson anderson taylor moore jackson martin lee thompson harris clark lewis robinson walker allen wright scott torres nguyen hill adams nelson campbell mitchell roberts carter phillips evans turner parker collins edwards stewart morris murphy cook rogers cooper peterson reed bailey bell kelly howard ward cox richardson watson bennett gray hughes patel sharma singh kumar khan malik hussain ahmed ali shah santos reyes cruz fernandez`.split(
    /\s+/,
  ),
);

/** Before a name they make it a place or an institution. Folded. */
export const PLACE_BEFORE = foldedSet(
  'طريق شارع مستشفى جامعة مدرسة مدينة مسجد جامع بنك مصرف أسواق سوق مطار حي برج ميدان كلية مركز معرض مؤسسة شركة جائزة كأس ملعب استاد إستاد قصر جسر محطة مخرج دوار مجمع ثانوية متوسطة معهد مكتبة حديقة منتزه قاعة ديوان إمارة هيئة صيدلية مطعم مخبز مجموعة قناة قرية وادي جبل نادي ميناء نفق كورنيش بوابة سد حصن قلعة متحف واحة سورة غزوة مقام باب حديقه مؤسسه',
  'الملك الملكة الأمير الأميرة سمو خادم الإمام الخليفة النبي الرسول الصحابي سيدنا',
);
/** Given and second name, as written together, of people history and news speak of; folded. */
export const PUBLIC_FIGURES = new Set(
  [
    'عمر بن الخطاب',
    'أبو بكر الصديق',
    'عثمان بن عفان',
    'علي بن أبي',
    'خالد بن الوليد',
    'بلال بن رباح',
    'أنس بن مالك',
    'أحمد بن حنبل',
    'عمر بن عبدالعزيز',
    'صلاح الدين الأيوبي',
    'طارق بن زياد',
    'محمد بن سلمان',
    'سلمان بن عبدالعزيز',
    'عبدالعزيز آل سعود',
    'عبدالله بن عباس',
    'عبدالله بن مسعود',
    'عائشة بنت أبي',
    'خديجة بنت خويلد',
    'فاطمة بنت محمد',
    'محمد بن القاسم',
    'محمد بن عبدالله',
    'سعد بن أبي',
    'معاذ بن جبل',
    'حمزة بن عبدالمطلب',
  ].map((name) => name.split(' ').map(foldWord).join(' ')),
);
export const PLACE_AFTER: ReadonlySet<string> = new Set(
  `road rd street st avenue ave hospital university college school airport mosque bank tower towers mall district city center centre library stadium bridge park square highway hall museum foundation institute exit roundabout building port club cup award prize pharmacy restaurant group company co medical clinic station island metro branch economic industrial specialist program`.split(
    /\s+/,
  ),
);
export const PUBLIC_BEFORE: ReadonlySet<string> = new Set(
  'king queen prince princess prophet imam caliph saint san port mount lake the'.split(' '),
);
