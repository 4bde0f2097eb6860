import { foldedSet, foldWord } from '../../../language/fold-word.ts';

/** Words around a number that decide how it is read. All sets hold folded words (`foldWord`). */

/** After these a number stands in the oblique case. */
export const OBLIQUE_BEFORE = foldedSet(
  'في وفي من ومن إلى على عن وعن يوم بعد قبل خلال حتى منذ لمدة بقيمة بمبلغ بسعر بنسبة حوالي نحو قرابة عند لدى مع كل أكثر أقل بين ضمن تحت فوق حد',
  'برصيد بإجمالي بمجموع بفارق برسوم بتكلفة بزيادة بتراجع بانخفاض بواقع بمتوسط بخصم بغرامة بضمان بقسط بأكثر بأقل بنحو بسرعة بقوة بارتفاع بعمق بطول بعرض بوزن بمساحة بحجم بسعة بعدد بمعدل بقطر بدرجة بحرارة بضغط بعمر عيار مقاس قياس آخر أول طوال طيلة مدة عمر وزن طول سن عدد مسافة مساحة درجة عامي عاما صيف شتاء ربيع خريف حرب ثورة أزمة حملة كأس نهاية بداية خصم استرداد تحويل إيداع سحب شراء بيع سداد إضافة إرسال حجز استلام تسجيل إغلاق افتتاح تنفيذ توفير شحن تعبئة غرامة',
  'دفعت سددت دفعنا سددنا حولت حولنا استلمت استلمنا أضفنا أضفت خصمنا خصمت أرسلت أرسلنا اشتريت اشترينا طلبت طلبنا حجزت حجزنا أريد نريد أبغى أبي عام سنة لعام للعام لسنة وعام رؤية مبلغ قيمة سعر لـ بـ نسبة',
  'دفع سدد حول استلم اشترى ادفع سدد احجز أضف يدفع تدفع ندفع تسدد يسدد تحول تستحق يستحق تشمل يشمل يضم تضم يتضمن تتضمن يتجاوز تتجاوز تجاوز تجاوزت يقارب تقارب يعادل تعادل يتعدى تتعدى مدار استغرق استغرقت يستغرق تستغرق انتظرت انتظر',
);

/** Not a counted noun: what follows the number starts another phrase. */
export const NOT_COUNTED = foldedSet(
  'في من إلى الى على عن بعد قبل خلال حتى منذ لمدة عند لدى مع كل بين ضمن تحت فوق و أو او ثم أم بل لكن لأن إذا اذا لو إن أن هل ما لا لم لن قد لقد كان كانت هو هي هم هذا هذه ذلك تلك الذي التي',
  'فقط فورا حالا مجانا مباشرة لاحقا مسبقا سابقا نقدا كاملا شاملا دائما عادة غالبا تقريبا أيضا ايضا حاليا اليوم غدا أمس الآن صباحا مساء ظهرا عصرا ليلا فجرا هجري هجرية ميلادي ميلادية يوميا شهريا سنويا أسبوعيا تم يتم سيتم ليس ليست غير أكثر أقل فأكثر فأقل فما حسب وفق عبر بواسطة لكل وهو وهي حيث كما يوجد توجد لدينا عندنا لدي عندي لك لكم له لها لي لنا رقم برقم بقيمة بمبلغ بسعر بنسبة بتاريخ يرجى الرجاء شكرا نعم يا قريبا مؤقتا قطعا أبدا عفوا رجاء حصرا سريعا جيدا مرحبا أهلا تماما خصوصا عموما إضافة بدلا فضلا معا جدا عندكم عندك عنده عندها عندهم لديكم لديك لديه لديها لديهم منكم منك منه منها منهم عليكم عليك عليه عليها بكم بك به بها فيه فيها معكم معك معي معنا إليكم إليك أنت أنا نحن كيف متى أين ليش وش ايش مضروب مقسوم يساوي زائد ناقص بالمئة بالمائة بالمية مئة مائة متاح متاحة جاهز جاهزة',
);

/** Adjectives, masculine singular, that follow counted things. */
export const DUAL_ADJECTIVES = foldedSet(
  'جديد قديم كبير صغير متوسط طويل قصير كامل إضافي مجاني نصي صوتي فائت وارد صادر متبق متأخر مفتوح مغلق معلق مؤكد ناجح فاشل خاطئ صحيح واسع فارغ مفرد مزدوج قادم سابق ماضي مدفوع مسدد مستحق منته متتالي متتال مختلف مهم عاجل طبي دراسي تدريبي تعليمي سياحي ذهبي فضي رئيسي فرعي مستقل مجهز أساسي احتياطي يومي أسبوعي شهري سنوي تجاري سكني رقمي إلكتروني ورقي بلاستيكي خشبي زجاجي',
);

/** Labels: the number names the thing (`الغرفة 12`), it does not count what follows. */
export const LABEL_BEFORE = foldedSet(
  'رقم الرقم برقم ورقم غرفة الغرفة بوابة البوابة صفحة الصفحة خط الخط فرع الفرع وحدة الوحدة حي الحي درجة الدرجة قناة القناة فقرة الفقرة طلب الطلب مبنى المبنى شقة الشقة فيلا طريق الطريق شارع الشارع مخرج المخرج رحلة الرحلة',
  'صالة الصالة مقعد المقعد قاعة القاعة عيادة العيادة مكتب المكتب نموذج النموذج خيار الخيار باقة الباقة الفئة الإصدار إصدار موديل نسخة النسخة سؤال السؤال خطوة الخطوة تذكرة التذكرة فاتورة الفاتورة عقد العقد ملف الملف اضغط للضغط',
  'مجموعة المجموعة مستوى المستوى منصة المنصة كاونتر شباك الشباك رصيف الرصيف محطة المحطة موقف الموقف حلقة الحلقة سورة آية الآية العمارة عمارة البند بند',
);

/** Labels that are said with an ordinal: `الدور 5` is الدور الخامس. */
export const ORDINAL_LABELS = foldedSet(
  'الدور الطابق بالدور بالطابق للدور للطابق المادة للمادة بالمادة المرحلة المرتبة بالمرتبة للمرتبة القرن بالقرن للقرن الصف الفصل الربع ط',
);

/** The same where nothing is counted behind: `المركز 2`, but not `استقبل المركز 45 مراجعاً`. */
export const RANKED_LABELS = foldedSet(
  'المركز بالمركز للمركز الأسبوع بالأسبوع للأسبوع الجولة بالجولة الذكرى الشوط الطبعة الدورة المستوى بالمستوى للمستوى الجزء الحزب الدقيقة الدفعة السنة الدرس المرة للمرة القبو القمة الخطوة الحلقة الحصة الشهر النوع الجيل الركعة البند بالبند الفقرة للفقرة',
);
/** Two of a kind: `المادتين 3 و4`. */
export const RANKED_PAIRS: ReadonlyMap<string, 'm' | 'f'> = new Map([
  ...['المادتين', 'المادتان', 'للمادتين', 'الفقرتين', 'الفقرتان', 'المرحلتين', 'المرحلتان', 'الجولتين'].map(
    (label) => [label, 'f'] as const,
  ),
  ...['الدورين', 'الطابقين', 'الصفين', 'الفصلين', 'البندين', 'المركزين', 'الأسبوعين', 'المستويين'].map(
    (label) => [foldWord(label), 'm'] as const,
  ),
]);
/** What these name is a number and no rank, however far the name is: `رقم الملف الطبي 554210`. */
export const NUMBERED_BY = foldedSet('رقم برقم ورقم رقمك');

/** Places that are named by a number or letter: seat 14A. */
export const PLACE_WORDS = foldedSet(
  'مقعد المقعد كرسي الكرسي صف الصف شقة الشقة بوابة البوابة مبنى المبنى غرفة الغرفة seat row gate apartment apt flat unit room building block exit page figure table',
);

/** Makers who name their models with three digits: Boeing 747, Porsche 911. */
export const MODEL_MAKERS = foldedSet(
  'boeing airbus porsche peugeot ferrari falcon mercedes concorde bmw audi ford lexus infiniti embraer bombardier بوينج بوينغ البوينج البوينغ إيرباص بورش بيجو',
);

/** A number after one of these (also with one word between) is read digit by digit: codes first, weaker ones from 4 digits. */
export const CODE_WORDS = foldedSet(
  'رمز الرمز رمزك كود الكود كودك تحويلة التحويلة تحويله السري المرور مرور المؤقتة المؤقت otp pin cvv cvc code passcode password extension ext dial ending التحقق تحقق',
);
export const NUMBER_WORDS = foldedSet(
  'رقم الرقم رقمك برقم ورقم رقمها هوية الهوية هويتك إقامة الإقامة حساب الحساب حسابك حسابي آيبان الآيبان السجل تجاري التجاري ضريبي الضريبي شحنة الشحنة البريدي بريدي بريد تذكرة التذكرة',
  'طلبك طلبي شحنتك شحنتي فاتورتك حجزك تذكرتك بوليصة البوليصة مرجعي المرجعي مرجع المرجع التتبع تتبع بطاقة البطاقة بطاقتك بالرقم جواز الجواز لوحة اللوحة رخصة الرخصة عداد العداد المعاملة معاملة',
  'ends ended acct tel number no id order ticket invoice account reference ref iqama iban tracking booking confirmation serial box case card digits أرقام الأرقام للرقم لرقم zip postcode passport policy license licence shipment reservation ending plate',
);
/** Words between the name of a number and the number: `رمز الدخول الخاص بك هو 7392`. */
export const FILLERS = foldedSet(
  'هو هي بك لك لكم بكم الخاص الخاصة الجديد الجديدة is are was be the your new as in with',
);
export const PHONE_WORDS = foldedSet(
  'جوال الجوال جوالي جوالك جواله هاتف الهاتف هاتفي هاتفك تلفون التلفون تليفون اتصل اتصلوا الاتصال للاتصال واتساب الواتساب واتس موبايل فاكس الفاكس الموحد المجاني بالرقم الطوارئ الإسعاف المدني الشرطة النجدة كلم كلموا كلمني دق',
  'call phone mobile tel telephone fax whatsapp dial text ring hotline cell contact line emergency',
);

/** What comes in numbered parts: `صفحة 1/2` is one of two, `step 1/4` one of four. */
export const PART_WORDS = foldedSet(
  'صفحة الصفحة جزء الجزء دفعة الدفعة صورة الصورة قسط القسط رسالة الرسالة شوط الشوط جلسة الجلسة خطوة الخطوة محاولة المحاولة',
  'step part page slide chapter question lesson phase round episode module item batch sheet task photo image file',
);

/** Four digits after one of these are said in two pairs: room 1204 is twelve oh four. */
export const PAIRED_AFTER = foldedSet(
  'room suite apartment apt flat unit office villa locker studio form bus route channel desk booth ward rtx gtx nokia rfc port rm ste',
);

/** A four digit number after one of these is a year. */
export const YEAR_WORDS_AR = foldedSet(
  'عام العام سنة السنة لعام للعام لسنة للسنة بعام بسنة وعام وسنة منذ بحلول مواليد خطة الخطة نتائج أهداف رؤية الرؤية موسم لموسم ميزانية موديل موديلات كأس مونديال إكسبو دفعة طبعة إصدار',
);
export const YEAR_WORDS_EN: ReadonlySet<string> = new Set(
  'in since by year years of until till from vision before after during early late mid fy class spring summer autumn fall winter expo model circa around between born edition season budget and to pre post'.split(
    ' ',
  ),
);

/** Plurals without an s, and what follows an amount. */
export const COUNTED_EN: ReadonlySet<string> = new Set(
  'people men women children staff percent per each more less times sheep feet guests unit mile hour'.split(' '),
);
/** After these even 2024 is an amount. */
export const COUNT_BEFORE_EN: ReadonlySet<string> = new Set(
  'about over nearly approximately exactly almost roughly have has had are is was were total than least most number room bus flight press sold buy pay paid costs cost need only another every up x times plus minus equals send'.split(
    ' ',
  ),
);

/** Two numbers one over the other: blood pressure and eyesight. */
export const OVER_WORDS = foldedSet('ضغط الضغط ضغطك ضغطي ضغطه ضغطها النظر نظره نظرها نظرك نظري');

/** Scores: `فاز 3-1`. */
export const SCORE_WORDS = foldedSet(
  'فاز فازت فوز فزنا خسرنا تعادلنا غلبنا غلبوا غلبناهم خسر خسرت خسارة تعادل تعادلا تعادلت النتيجة نتيجة بنتيجة انتهت انتهى المباراة مباراة الهلال النصر الاتحاد الأهلي تغلب هزم الفريق المنتخب الشوط ركلات الترجيح الذهاب الإياب بمجموعتين تقدم يتقدم',
  'won win wins lost lose loses beat beats score scored draw drew result defeated match final tied',
);

/** Before `8-4` these speak of opening hours, not of a score. */
export const OPENING_WORDS = foldedSet(
  'الدوام دوام العمل دوامنا ساعات أوقات الأوقات مواعيد الزيارة مفتوح مفتوحين نفتح يفتح تفتح نعمل يعمل تعمل نستقبلكم نستقبل متواجدون متاحون الصباحية المسائية صباحية مسائية يوميا الأحد الاثنين الإثنين الثلاثاء الأربعاء الخميس الجمعة السبت',
);

/** Words that make a bare hour of the day out of `7` or `7 م`. */
export const CLOCK_WORDS = foldedSet('الساعة الساعه للساعة والساعة بالساعة الساعات');
export const BETWEEN_WORDS = foldedSet('من ومن بين between from');

/** Quotients said with `من` / `out of`: ratings and marks. */
export const RATING_WORDS = foldedSet(
  'تقييم التقييم تقييمك بتقييم تقييمه الدرجة درجة درجتك حصلت حصل النتيجة نتيجتك علامة العلامة معدل المعدل بمعدل',
  'rating rated score scored rate mark grade got',
);

/** A chapter, king or phase before a Roman numeral. */
export const ROMAN_BEFORE = foldedSet(
  'number no vol ch fig pt sec art bowl olympiad schedule annex title episode lesson module form case figure table chapter part phase section volume vol act scene stage level type grade class book article appendix world war page unit tier step round paragraph',
  'القرن الملك الملكة البابا القيصر الإمبراطور الفصل الجزء المرحلة القسم الباب المستوى النوع المجلد الوحدة الدرجة فصل جزء مرحلة قسم نوع مستوى الفئة العالمية الدورة النسخة الجيل القمة',
);
/** Kings and popes: `the second`. */
export const ROMAN_RULERS = foldedSet(
  'henry elizabeth charles louis george william edward james philip john pius benedict paul richard alexander nicholas catherine peter abdullah hussein philippe francis ferdinand leo gregory clement innocent frederick leopold christian gustav vittorio umberto mehmed murad selim faisal fahd ramses napoleon constantine ivan wilhelm harald olav willem carlos felipe alfonso ludwig otto ptolemy darius hassan suleiman bayezid tutankhamun لويس هنري تشارلز جورج يوحنا بولس',
);
