/** Latin words met in Arabic business text, in lower case, as they are said in Arabic. Multi-word names come first in a match. */
const TABLE = `
whatsapp واتساب|email إيميل|e-mail إيميل|mail ميل|gmail جيميل|hotmail هوتميل|outlook أوتلوك|yahoo ياهو|icloud آي كلاود|online أونلاين|offline أوفلاين
app آب|apps آبس|application أبليكيشن|apple آبل|iphone آيفون|ipad آيباد|imac آي ماك|macbook ماك بوك|google قوقل|chrome كروم|microsoft مايكروسوفت
windows ويندوز|office أوفيس|excel إكسل|word وورد|powerpoint باوربوينت|zoom زوم|teams تيمز|skype سكايب|telegram تيليجرام|twitter تويتر|snapchat سناب شات
snap سناب|instagram إنستقرام|insta إنستا|facebook فيسبوك|meta ميتا|youtube يوتيوب|tiktok تيك توك|linkedin لينكد إن|netflix نتفليكس|shahid شاهد|spotify سبوتيفاي
amazon أمازون|noon نون|jarir جرير|extra إكسترا|jahez جاهز|hungerstation هنقرستيشن|mrsool مرسول|uber أوبر|careem كريم|bolt بولت|jeeny جيني
absher أبشر|tawakkalna توكلنا|nafath نفاذ|najiz ناجز|sehhaty صحتي|qiwa قوى|mudad مدد|musaned مساند|ejar إيجار|balady بلدي|etimad اعتماد|fasah فسح|tamm تم|muqeem مقيم
sadad سداد|mada مدى|visa فيزا|mastercard ماستركارد|paypal باي بال|tabby تابي|tamara تمارا|pay باي|wallet واليت|bank بنك|alrajhi الراجحي|alinma الإنماء|aramco أرامكو|sabic سابك
neom نيوم|riyadh الرياض|jeddah جدة|dammam الدمام|mecca مكة|makkah مكة|medina المدينة|madinah المدينة|khobar الخبر|tabuk تبوك|abha أبها|taif الطائف|qassim القصيم|jubail الجبيل|yanbu ينبع|saudi السعودية
saudia السعودية|flynas طيران ناس|flyadeal طيران أديل|emirates طيران الإمارات|dubai دبي|london لندن|bahrain البحرين|kuwait الكويت|qatar قطر|cairo القاهرة
bluetooth بلوتوث|wi-fi واي فاي|wifi واي فاي|router راوتر|modem مودم|server سيرفر|servers سيرفرات|cloud كلاود|laptop لابتوب|computer كمبيوتر|mobile موبايل|tablet تابلت
android أندرويد|ios آي أو إس|ipados آي باد أو إس|macos ماك أو إس|samsung سامسونج|galaxy جالكسي|huawei هواوي|sony سوني|playstation بلايستيشن|xbox إكس بوكس|lenovo لينوفو|dell ديل|intel إنتل|nokia نوكيا|xiaomi شاومي
toyota تويوتا|camry كامري|hyundai هيونداي|ford فورد|kia كيا|nissan نيسان|lexus لكزس|mercedes مرسيدس|tesla تسلا|honda هوندا|mazda مازدا|chevrolet شفروليه|lucid لوسيد|audi أودي
mobily موبايلي|zain زين|virgin فيرجن|lebara ليبارا|salam سلام|link لينك|chat شات|bot بوت|chatbot شات بوت|plus بلس|pro برو|max ماكس|mini ميني|ultra ألترا|lite لايت|premium بريميوم
platinum بلاتينيوم|gold قولد|silver سيلفر|classic كلاسيك|signature سيقنتشر|infinite إنفينيت|business بزنس|economy إيكونومي|first فيرست|support سبورت|example إكزامبل|info إنفو|update أبديت|upgrade أبقريد|system سيستم|software سوفتوير|hardware هاردوير
marketing ماركتنق|manager مانجر|meeting ميتنق|delivery دليفري|order أوردر|booking بوكينق|ticket تكت|check-in تشيك إن|check-out تشيك أوت|cash كاش|code كود|password باسورد
username يوزر نيم|user يوزر|login لوق إن|profile بروفايل|download داونلود|upload أبلود|reset ريست|restart ريستارت|screenshot سكرين شوت|screen سكرين|file فايل|folder فولدر
fiber فايبر|data داتا|roaming رومنق|offer أوفر|sale سيل|free فري|vip في آي بي|drive درايف|wireless وايرلس|internet إنترنت|network نتوورك|website ويب سايت|web ويب|browser براوزر|site سايت
team تيم|project بروجكت|report ريبورت|dashboard داشبورد|call كول|center سنتر|centre سنتر|agent إيجنت|help هيلب|desk ديسك|live لايف|demo ديمو|test تست|beta بيتا|version فيرجن|model موديل|series سيريس
store ستور|shop شوب|mall مول|express إكسبريس|track تراك|tracking تراكنق|cancel كانسل|confirm كونفيرم|confirmed كونفيرمد|ok أوكي|okay أوكي|yes يس|no نو|hello هلو|hi هاي|please بليز|sorry سوري|thanks ثانكس|thank ثانك|you يو|bye باي|welcome ويلكم
info إنفو|contact كونتاكت|sales سيلز|admin أدمن|care كير|service سيرفس|services سيرفسز|customer كستمر|company كومباني|group قروب|international إنترناشونال|global قلوبال
com كوم|net نت|org أورق|gov جوف|edu إديو|sa إس إيه|ae إيه إي|www دبليو دبليو دبليو|http إتش تي تي بي|https إتش تي تي بي إس
basic بيسك|standard ستاندرد|smart سمارت|home هوم|family فاملي|student ستيودنت|max ماكس|one ون|air إير|watch واتش|music ميوزك|prime برايم|cv سي في|hr إتش آر|it آي تي
interview إنترفيو|training تريننق|course كورس|workshop ورك شوب|deadline ديدلاين|feedback فيدباك|budget بدجت|invoice إنفويس|discount ديسكاونت|cashback كاش باك|refund ريفند|voucher فاوتشر|coupon كوبون|promo برومو
card كارد|credit كريدت|debit ديبت|limit ليمت|account أكاونت|balance بالانس|transfer ترانسفر|swift سويفت|token توكن|error إيرور|bug بق|crash كراش|backup باك أب|restore ريستور|sim سيم|esim إي سيم|hotspot هوت سبوت
camera كاميرا|printer برنتر|scanner سكانر|projector بروجكتر|keyboard كيبورد|mouse ماوس|charger شارجر|cable كيبل|battery بطارية|speaker سبيكر|headset هيدسيت
doctor دكتور|nurse نيرس|lab لاب|hospital هوسبيتال|clinic كلينك|emergency إمرجنسي|panadol بنادول|omega أوميغا|insulin إنسولين|bupa بوبا|tawuniya التعاونية|medgulf ميدغلف
sedan سيدان|hybrid هايبرد|diesel ديزل|automatic أوتوماتيك|full فل|option أوبشن|park بارك|parking باركنق|terminal تيرمنال|gate قيت|lounge لاونج|boarding بوردنق|transit ترانزيت|hilton هيلتون|marriott ماريوت|sheraton شيراتون|novotel نوفوتيل
mcdonald's ماكدونالدز|mcdonalds ماكدونالدز|starbucks ستاربكس|dunkin دانكن|burger برجر|pizza بيتزا|hut هت|coffee كوفي|cafe كافيه|pepsi ببسي|cola كولا|combo كومبو|large لارج|medium ميديم|small سمول
openai أوبن إيه آي|chatgpt شات جي بي تي|python بايثون|java جافا|linux لينكس|oracle أوراكل|cisco سيسكو|adobe أدوبي|photoshop فوتوشوب|github قت هب|slack سلاك|jira جيرا|salesforce سيلز فورس|zoho زوهو|odoo أودو|shopify شوبيفاي|salla سلة|zid زد|foodics فودكس|moyasar ميسر|hyperpay هايبر باي|stripe سترايب|unifonic يونيفونك|twilio تويليو
aramex أرامكس|fedex فيدكس|dhl دي إتش إل|naqel ناقل|smsa سمسا|spl سبل|zajil زاجل
maps مابس|meet ميت|calendar كالندر|search سيرش|photos فوتوز|translate ترانسليت|store ستور|play بلاي|game قيم|games قيمز|plan بلان|master ماستر|key كي|prepaid بريبيد|postpaid بوستبيد|unlimited أنليمتد|bundle بندل|addon أد أون|activate أكتيفيت|log لوق|sign ساين|in إن|out أوت|up أب|on أون|off أوف|page بيج|form فورم|list لست|note نوت|share شير|cloud كلاود|media ميديا|social سوشال|digital ديجيتال|design ديزاين|startup ستارت أب|fintech فنتك|blockchain بلوكتشين|bitcoin بتكوين
airpods إيربودز|temu تيمو|shein شي إن|adidas أديداس|nike نايكي|zara زارا|dominos دومينوز|kudu كودو|albaik البيك|keeta كيتا|ninja نينجا|talabat طلبات|firefox فايرفوكس|safari سفاري|siri سيري|alexa أليكسا|gemini جيميناي|copilot كوبايلوت|porsche بورش|jeep جيب|tahoe تاهو|yukon يوكن|accord أكورد|corolla كورولا|elantra إلنترا|sonata سوناتا|accent أكسنت|patrol باترول|hilux هايلكس|yaris ياريس|tucson توسان|taurus تورس
january يناير|february فبراير|march مارس|april أبريل|june يونيو|july يوليو|august أغسطس|september سبتمبر|october أكتوبر|november نوفمبر|december ديسمبر|sunday الأحد|monday الاثنين|tuesday الثلاثاء|wednesday الأربعاء|thursday الخميس|saturday السبت|my ماي|jobs جوبز|job جوب|portal بورتال|offers أوفرز|news نيوز|noor نور
ahmed أحمد|ahmad أحمد|ali علي|mohammed محمد|mohammad محمد|muhammad محمد|khalid خالد|khaled خالد|fahad فهد|fahd فهد|sultan سلطان|faisal فيصل|nasser ناصر|saleh صالح|ibrahim إبراهيم|yousef يوسف|yusuf يوسف|abdullah عبدالله|abdulaziz عبدالعزيز|abdulrahman عبدالرحمن|omar عمر|osama أسامة|hassan حسن|hussein حسين|hussain حسين|salman سلمان|saud سعود|turki تركي|bandar بندر|majed ماجد|hamad حمد|hani هاني|tariq طارق|sami سامي|rami رامي|zaid زيد|yasser ياسر|nawaf نواف|mansour منصور|sara سارة|sarah سارة|noura نورة|nora نورة|maha مها|reem ريم|huda هدى|fatima فاطمة|aisha عائشة|layla ليلى|laila ليلى|lama لمى|mona منى|amal أمل|hind هند|nouf نوف|dalal دلال
ceo سي إي أو|spam سبام|podcast بودكاست|blog بلوق|youtube يوتيوب|story ستوري|live لايف|reel ريل|hashtag هاشتاق|channel تشانل|like لايك|follow فولو|share شير|block بلوك|list ليست|black بلاك|white وايت|friday فرايدي
`;

export const TRANSLITERATIONS: ReadonlyMap<string, string> = new Map(
  TABLE.trim()
    .split(/[|\n]/u)
    .map((entry): [string, string] => {
      const space = entry.indexOf(' ');
      return [entry.slice(0, space), entry.slice(space + 1)];
    }),
);
