import { GUARDED_LATIN_NAMES, MORE_LATIN_GIVEN_NAMES } from './given-names.ts';

/** Given names in Latin letters that are nothing else. */
export const LATIN_GIVEN_NAMES: ReadonlySet<string> = new Set(
  `ahmed ahmad mohammed mohamed muhammad mohammad mohamad abdullah abdulla abdulrahman abdulaziz abdulmalik abdulmajeed abdulkarim abdullatif abdul khalid khaled fahad fahd saud salman sultan turki nayef naif bandar mishal meshal mishari faisal nawaf majed majid yasser yasir talal waleed walid hani hisham imad ibrahim ismail yousef youssef yusuf yaqoub musa issa dawood
  sulaiman suleiman ayoub younis zakaria haroun othman uthman omar umar ali hassan hasan hussain hussein hamad hamoud hamdan mahmoud mustafa mazen muhannad muath anas osama usama hamza talha ziyad sami rami basel ghassan marwan adnan nizar mansour mansoor thamer saqr ghazi jaber jassim qasim abbas haider mahdi bilal jamal hatem hazem khalil raed nasser nasir rashid
  saad saeed salem saleh tariq tarek badr mubarak meshari moath muteb naser nader nabil haitham wael yazan yahya amer ayed fares fawaz fayez firas fouad kamal adel ammar
  fatima fatimah aisha ayesha khadija maryam mariam zainab zeinab sara sarah noura nora norah haya hessa latifa hind lamia lina leen dana deema rahaf rana reema reem raghad rawan razan ghada ghadeer nouf najla nadia nada maha mashael maram manal layla laila lubna sumaya salwa salma sahar samira shaima abeer hanan huda amal amani asma arwa afnan areej
  james john robert michael william david richard joseph thomas charles christopher daniel matthew anthony steven paul andrew joshua kenneth kevin brian george timothy ronald edward jason jeffrey ryan jacob nicholas eric jonathan stephen larry justin scott brandon benjamin samuel gregory alexander patrick jack dennis jerry tyler aaron peter henry adam nathan douglas zachary kyle
  mary patricia jennifer linda elizabeth barbara susan jessica karen lisa nancy betty sandra margaret ashley kimberly emily donna michelle carol amanda melissa deborah stephanie rebecca laura cynthia dorothy amy kathleen angela shirley emma anna brenda pamela nicole samantha katherine christine helen rachel carolyn janet maria catherine heather diane olivia julie joyce victoria kelly lauren christina joan evelyn judith megan andrea cheryl hannah jacqueline martha gloria teresa ann sophia
  bassam bassem samer wissam jihad nayif rakan mosab musab ziad nizam kareem ameer ameen amin hakim habib idris ilyas luqman munir najib qais rafiq rauf riad shadi sharif suhail wajdi yaser zahir zain marwa mona nadine nada nisreen rania rima rola sabrina sawsan sumayyah tahani wafa yara yasmin yasmeen zahra jawaher mounira munira latifah nourah hessah ruba bushra ghaida jude joud lujain lama
  karim farah najoud nujood ghala wid bushra
  maher bello aliyah aliya oluwaseun chinedu ngozi fatou amadou mamadou kwame kofi abena tala talah wadha huda hudah
  bader jasim anwar danah tareq tarik deepika bassam reema remas rimas rima yousif yosef mohamad mohd abdulla khaleed lujain shatha leena noor saud suoud thamer mishaal nouf nawf naif wissam wesam hesham hisham amro amr omran imran rayan raed raad hussam asma hanin haneen aisha aishah mashael shahad shahd reem rawan jawaher abrar wafa wafaa hind abeer amal ahlam samar nora manar sawsan ibtihal maymouna sami
  samir sameer samira hatoon hattan mishary mishari moshari ghassan shahid mahmood rashed rashad raouf rawabi rawia reham rehab riham rifaat rouda sabah sabri safaa safa safwan sahar saif sakina salama salim salah sameh samia sanaa shadia shakir shams sharifa shatha shorouq siham sondos suad suhaib sultana tamer tamim taghreed talib thuraya tuqa turkiah ubaid wadha wajd wedad wejdan yahia yaqeen yazeed yazid zaid zayed zeina ziyad zubaida zuhair
  abdo abdu abdulelah abdulellah abdulilah abdulhadi abdulhameed abdulhamid abdulmohsen abdulmohsin abdulsalam abdulwahab abdulrazaq abdelrahman abdelaziz abdelkader abdallah abdulghani abdulqader abdulbari abdulmuhsin abdulrahim abdulraheem abdulkareem abdullateef aboud abrar adnan adwaa afaf afrah ahlam ahood aiman ayman akram ala alaa albandari alanoud alhanouf aljohara aljawhara alwaleed amina aminah amira amjad ammar aryam asayel aseel ashraf ashwaq atheer awad ayah aya azzam badriah badriyah bashayer bashir basma basmah batool bayan bodour boshra budoor
  dalal daniah daniyah dareen dina duaa ebtisam eman iman essam esam eyad iyad fadi fahda fahdah faiza faizah faris farouk fatemah fawzi fawziah fayha fayez feras gharam ghadi ghaith ghala ghalia hadeel hadi hael haifa hajar hala halima hamed hana hanadi hanouf hasna hatim hawazen hayat heba hiba hessah hosam husam hussam ibtisam ihab ikram ilham inas israa jabir jamila jana jawad jawharah joud jomana jumana jouri kadi kawthar khaldoun khalil khawla kholoud khulood khuloud kinan
  lamya lateefah lamees lulu lulwa luluwah mai maisa maysa majda majdi malak malik maram marwah mashari mayar maysoon mayyadah mays mervat meshael miral mishaal moayad moaath moataz mohannad mohanad muhanad mona monira moodi mossab muaath munirah muneera musaed musaad muslih mutaz mutlaq nahed nahla najat najd nasreen nawal nawaf nayla nehal nibras nihal nizar nuha nuhad nujud omaima omnia osamah qusai qusay rabab rabea rabia raef rafif raghda raja ramez ramzi randa rashid rasha rawabi rawaa rayan rayyan rayana razaan remas renad retaj rimas rinad ritaj roaa roba ruqaya ruqayyah
  arshad ashok ajay ajith akash alok anand aravind arif ashish bharat chandra dinesh divya ganesh gopal hari harish irfan jagdish javed jayesh joginder kabir kamran karthik kavita kiran krishna lokesh mahesh manish manoj meera mohan mukesh naveed naveen neha nikhil nitin nawaz pankaj prakash pradeep prasad praveen rajan rajesh rajiv rakesh ramesh ranjit rizwan rohit sachin sajid saleem sandeep sanjeev santosh shabbir shankar sharif shiva sneha sohail srinivas sumit surya tahir tariq umair uday venkat vikram vinod vivek waqas yogesh zafar zahid zeeshan
  analyn angelica angelo arnel bernadette cherry christian cristina danilo edgar eduardo eliza emmanuel ernesto fernando gerald gina grace jayson jenny jericho jerome jocelyn joel jonathan joseph josephine juliet leo liza lorna marco maricar marites mark mary melanie michelle nelson noel ramon raymond renato reynaldo ricardo rodel roel rodrigo rolando romeo ronald rowena ruel sheila sherwin vicente
  oliver harry charlie alfie oscar archie freddie lucas ethan mason logan aiden caleb owen connor dylan evan gabriel isaac liam noah sean shane simon stuart trevor vincent wayne abigail alice amelia audrey beth bethany caroline charlotte chloe claire clara daisy ellen ellie erin fiona gemma georgia harriet isabella isla katie lucy lydia mia molly natalie naomi nora phoebe poppy ruth sally sophie tara tracy vanessa wendy zoe
  priya rahul amit rajesh suresh anil sunil vijay ravi sanjay deepak imran asif usman bilal farhan kashif zubair arjun lakshmi anjali pooja jose juan carlos miguel luis pedro ana rosa maricel jomar`.split(
    /\s+/,
  ),
);

/** English family names common enough to follow a listed given name in lower case. */
export const LATIN_FAMILY_NAMES: ReadonlySet<string> = new Set(
  `alharbi alotaibi alqahtani alghamdi alzahrani alshehri aldosari alshammari almutairi alanazi harbi otaibi utaibi qahtani ghamdi zahrani shehri shahri dosari dossary dawsari shammari mutairi anazi enezi subaie balawi juhani rashidi amri omari shahrani asmari malki maliki harthi qarni asiri rajhi
  alsubaie alsubaiy albalawi aljuhani alrashidi alamri alomari alshahrani alasmari almalki alharthi alqarni alasiri alrajhi alshamrani shamrani alsulami sulami albaqami baqami althobaiti thobaiti alhazmi hazmi alfaifi faifi alhakami almarri marri alyami yami alsaadi saadi alkhaldi khaldi alsahli sahli alhajri hajri alajmi ajmi alruwaili ruwaili alsharari sharari aldawsari alfarsi alnuaimi alkaabi almansouri almazrouei alsuwaidi alblooshi albulushi alkindi alsaud alfadhli alenezi alenazi alanezi alrashid alfaraj alhumaid almuhanna almousa alissa alsaleh alali alahmadi ahmadi alharbi alomran alghanim alsudairi alsedairy alturki alnajjar alkhatib haddad khoury nassar mansour najjar khatib hijazi bukhari turkistani fallatah hawsawi bajnaid bawazir bamatraf baeshen bin-laden
  smith johnson williams brown jones garcia miller davis wilson anderson taylor moore jackson martin lee thompson harris clark lewis robinson walker allen wright scott torres nguyen hill adams nelson campbell mitchell roberts carter phillips evans turner parker collins edwards stewart morris murphy cook rogers cooper peterson reed bailey bell kelly howard ward cox richardson watson bennett gray hughes patel sharma singh kumar khan malik hussain ahmed ali shah santos reyes cruz fernandez nair menon pillai iyer reddy rao gupta verma mehta joshi desai chaudhry chowdhury ansari siddiqui qureshi sheikh mirza butt bhatti raja mathew thomas varghese kurian george joseph philip dela delacruz bautista garcia ramos mendoza gonzales villanueva aquino castillo rivera perez hernandez lopez martinez rodriguez gomez diaz mahmood mahmoud abdullah saleh ibrahim hamad hamdan osman eltayeb mustafa salim shafiq rehman iqbal akhtar nawaz`.split(
    /\s+/,
  ),
);

/** Given names in Latin letters that are English words, months, places or titles as well: names only after a trigger. */
export const LATIN_NAMES_AND_WORDS: ReadonlySet<string> = new Set([
  ...'mark christian grace cherry daisy poppy mason jack isla georgia victoria martin joy amber ruby jordan austin paris madison may april june august summer rose hope faith art frank will rich dean chase bill sue pat drew grant hunter parker cook young king prince lane reed adam eve angel angelo malik qais hind jude layan haya maha mai hala raja salama sabah najd ban huda amal noor iman ikram hayat shams malak bayan jana hadi rabia safa sultan sheikh amir amira sharif karim kareem nada nada hari kiran surya noel leo gina liza jenny mary anna ann amy'.split(
    ' ',
  ),
  ...GUARDED_LATIN_NAMES,
]);

/** Names that are taken for one only in capitals. */
export const CAPITAL_GIVEN_NAMES: ReadonlySet<string> = new Set(MORE_LATIN_GIVEN_NAMES);
/** Given names that stand for somebody without a trigger, in capitals. */
export const LONE_LATIN_GIVEN_NAMES: ReadonlySet<string> = new Set(
  [...LATIN_GIVEN_NAMES, ...CAPITAL_GIVEN_NAMES].filter((name) => !LATIN_NAMES_AND_WORDS.has(name)),
);

/** After a name they make it a place, an institution or a company. */
export const PLACE_AFTER: ReadonlySet<string> = new Set(
  `buildings towers roads streets schools malls branches hospitals clinics residences road rd street st avenue ave hospital university college school airport mosque bank tower towers mall district city center centre library stadium bridge park square highway hall museum foundation institute exit roundabout building port club cup award prize pharmacy restaurant group company co medical clinic station island metro branch economic industrial specialist program holding holdings motors trading contracting est establishment ltd llc inc corp corporation sons bros brothers industries factory insurance foods furniture perfumes optics stores store supermarket hypermarket market markets shop shops exhibition tea bakery cafe coffee kitchen restaurants resort resorts apartments residence residences village compound gate league cement bank's travel tourism real estate properties investments capital partners consulting engineering electronics jewelry jewellery fashion school's academy institute`.split(
    /\s+/,
  ),
);
export const PUBLIC_BEFORE: ReadonlySet<string> = new Set(
  'pope emperor empress tsar king queen prince princess prophet imam caliph saint san santa port mount lake the fort cape sultan emir surah surat'.split(
    ' ',
  ),
);
