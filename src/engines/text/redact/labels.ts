import { PhraseIndex } from './phrase-index.ts';

/**
 * What the words around a value say it is. `order` are the things that have numbers and concern nobody;
 * `person` says that a statement is about somebody, `general` that it is about nobody.
 */
export type Label =
  | 'id'
  | 'iqama'
  | 'border'
  | 'passport'
  | 'licence'
  | 'phone'
  | 'card'
  | 'security'
  | 'code'
  | 'password'
  | 'key'
  | 'account'
  | 'iban'
  | 'registration'
  | 'vat'
  | 'record'
  | 'employee'
  | 'plate'
  | 'vehicle'
  | 'birth'
  | 'salary'
  | 'balance'
  | 'credit'
  | 'address'
  | 'shortAddress'
  | 'residence'
  | 'network'
  | 'order'
  | 'person'
  | 'general';

const LABELS: Readonly<Record<Label, string>> = {
  id: `رقم السجل المدني|رقم سجل مدني|رقم السجل المدنى|هوية|هوية وطنية|رقم وطني|بطاقة أحوال|أحوال|أحوال مدنية|سجل مدني|رقم مدني|بطاقة شخصية|بطاقة هوية|رقم هوية|رقم شخصي|حفيظة|
    national id|national identity|national number|id|id number|id card|id no|identity|identity number|identity card|civil id|civil registry|nid|
    absher|أبشر|نفاذ|nafath|social security number|ssn`,
  iqama: `إقامة|رخصة إقامة|هوية مقيم|مقيم|رقم إقامة|بطاقة مقيم|iqama|iqama number|residence permit|resident id|residency|residency number|residence id|resident permit`,
  border: `ترقيم دولي|الترقيم الدولي|الرقم الدولي المعياري|visa رقم|فيزا رقم|رقم حدود|رقم حدودي|حدود|تأشيرة|فيزا زيارة|border number|border no|border entry|visa number|visa no|visitor id|visit visa`,
  passport: `جواز|جواز سفر|باسبور|باسبورت|رقم جواز|passport|passport number|passport no`,
  licence: `رخصة قيادة|رخصة سياقة|رخصة سير|رقم رخصة|رخصة|driving licence|driving license|driver license|driver licence|drivers license|licence|license|licence number|license number`,
  phone: `جوال|جوالي|هاتف|تلفون|تليفون|موبايل|محمول|واتساب|واتس|واتس اب|رقم تواصل|رقم جوال|رقم هاتف|اتصل|اتصلوا|كلموني|كلمني|دق|دقوا|رقمي|رقمه|رقمها|فاكس|
    phone|phone number|mobile|mobile number|cell|cellphone|telephone|tel|whatsapp|call me|call|reach me|reach him|reach her|text me|my number|contact number|contact|fax|dial|ring me|number to call`,
  card: `بطاقة|بطاقة ائتمان|بطاقة ائتمانية|بطاقة صراف|صراف|فيزا|ماستركارد|ماستر كارد|مدى|بطاقة مدى|رقم بطاقة|card|card number|credit card|debit card|visa|visa card|mastercard|mada|mada card|amex|card no|pan`,
  security: `الكود اللي ورا البطاقة|الرمز اللي ورا البطاقة|الأرقام اللي ورا البطاقة|الكود اللي خلف البطاقة|الرمز اللي خلف البطاقة|الكود خلف البطاقة|الرمز خلف البطاقة|الرمز خلفها|الرمز اللي خلفها|الكود خلفها|الكود وراها|الرمز وراها|ورا البطاقة|وراء البطاقة|ورا بطاقتي|خلف بطاقتي|خلفها|وراها|الأرقام الثلاثة خلف بطاقتي|الثلاثة أرقام|الثلاث أرقام|ثلاث خانات|الرقم خلف البطاقة|ظهر بطاقتي|بظهر البطاقة|cid|csc|cvn|cid code|four digit cid|four digit code|digits behind|numbers behind|three digits behind|three digits at the back|three numbers on the back|three numbers|last three on the back|numbers on the back|digits on the back|back of card|on the back|behind the card|behind it|خلف البطاقة|ظهر البطاقة|الأرقام الثلاثة خلف البطاقة|أرقام خلف البطاقة|back of the card|back of my card|cvv|cvc|cvv2|cvc2|security code|card code|رمز خلفي|رقم خلفي|أرقام خلفية|ثلاثة أرقام خلف|أرقام ظهر البطاقة|رمز البطاقة الخلفي|رمز أمان|رمز الأمان|كود الأمان|سي في في|cvv code|ثلاث أرقام|ثلاثة أرقام|three digits|three digit code|الأرقام خلف|three digits on back|card verification`,
  code: `رقم البطاقة السري|رقم بطاقتي السري|رمز البطاقة السري|رمز تحقق|كود تحقق|رمز سري|رقم سري|رمز دخول|رمز تفعيل|كود تفعيل|رمز تأكيد|رمز|كود|رمز مؤقت|otp|o t p|pin|pin code|pin number|passcode|verification code|access code|one time code|one time password|activation code|
    authentication code|confirmation code|login code|code|sms code|atm pin|رمز الصراف|باسكود|بن كود|أو تي بي|او تي بي|اوتيبي|رمز واتساب|two factor code|2fa code`,
  password: `pass الواي فاي|pass wifi|باس الواي فاي|باس الحساب|باس الشبكة|كلمة مرور|كلمة سرية|كلمة المرور السرية|كلمة سر|كلمة المرور|كلمة السر|باسورد|باسوورد|الباسورد|رقم سري لحساب|password|passwd|pwd|passphrase|pass word|login password|wifi password`,
  key: `wifi key|wi fi key|network key|security key|encryption key|api key|apikey|secret key|access key|private key|api token|access token|bearer token|token|client secret|secret|مفتاح api|مفتاح سري|مفتاح واجهة|مفتاح برمجي|توكن|مفتاح ربط`,
  account: `حساب|حساب بنكي|رقم حساب|حساب جاري|حساب ادخار|account|account number|account no|acct|acc|bank account|current account|savings account|bank a c|a c number|a c no`,
  iban: `آيبان|ايبان|أيبان|الآيبان|رقم آيبان|آي بان|iban|iban number`,
  registration: `الرقم الموحد للمنشأة 700|الرقم الموحد 700|رقم موحد 700|unified number 700|unified 700 number|الرقم الوطني الموحد|رقم وطني موحد|الرقم الموحد للمنشأة|الرقم الموحد للشركة|سجل منشأتي التجاري|سجل المنشأة التجاري|سجل شركتي التجاري|سجل الشركة التجاري|سجل مؤسستي التجاري|سجل المؤسسة التجاري|سجل المحل التجاري|سجلي التجاري|سجلنا التجاري|سجلهم التجاري|س ت|سجل تجاري|رقم سجل|السجل|سجله|سجلي|سجلهم|رقم موحد|رقم منشأة|رقم 700|commercial registration|commercial register|cr|cr number|cr no|c r|registration number|unified number|trade license|company registration|business registration`,
  vat: `بضريبة القيمة المضافة رقمه|بضريبة القيمة المضافة برقم|ضريبة القيمة المضافة رقم|ضريبة القيمة المضافة برقم|تسجيل ضريبة القيمة المضافة|سجل ضريبة القيمة المضافة|سجلنا بضريبة القيمة المضافة|ضريبي|رقم ضريبي|رقم تسجيل ضريبي|رقم ضريبة|رقم ضريبة القيمة المضافة|تسجيل ضريبي|رقم مميز|vat|vat number|vat no|vat registration|vat id|tax number|tax id|tax registration|trn|tin|tax identification number`,
  record: `record number|record no|file no|chart no|hospital no|hospital file|patient code|رقم السجل الطبي|رقم الملف الطبي|patient id number|ملف طبي|رقم ملف|ملف مريض|سجل طبي|رقم طبي|ملف|رقم مريض|رقم مراجع|medical record|medical record number|mrn|m r n|patient number|patient no|patient id|patient file|file number|file no|medical file|hospital number|chart number`,
  employee: `رقم بطاقة العمل|بطاقة العمل|بطاقة عملي|work id|work card|رقمي في الشركة|رقمي بالشركة|رقمي في العمل|رقمي بالدوام|رقمي في الدوام|رقمي في النظام الوظيفي|badge|badge no|رقم وظيفي|رقم موظف|الرقم الوظيفي|رقم جامعي|رقم الطالب|رقم طالب|رقم أكاديمي|student id|student number|university id|رقم منسوب|employee id|employee number|employee no|staff id|staff number|staff no|badge number|payroll number|personnel number|emp id|emp no|worker id`,
  plate: `car registration|bike registration|vehicle registration|registration is|van registration|reg no|reg number|لوحة|لوحات|رقم لوحة|رقم اللوحة|لوحة سيارة|plate|plate number|license plate|licence plate|number plate|plates|registration plate`,
  vehicle: `bike|motorbike|motorcycle|van|bus|taxi|pickup|lorry|scooter|trailer|دباب|دراجة|دراجة نارية|وانيت|شاحنة|باص|تريلا|سطحة|ونيت|جمس|هايلكس|كامري|ددسن|سيارة|مركبة|موتر|جيب|car|vehicle|truck|suv`,
  birth: `عمري بالهوية من|عمري بالبطاقة|تولد|تولدت|خلقت|يوم ميلاد|سنة ميلاد|سنة الميلاد|year of birth|birth year|d o b|bday|انولد|انولدت|ميلاد|تاريخ ميلاد|مواليد|مولود|ولدت|ولد في|ولدت في|انولدت|تاريخ ولادة|عيد ميلاد|born|born on|born in|date of birth|birth date|birthdate|birthday|dob|d o b|day of birth`,
  salary: `payroll|final settlement|end of service|severance|severance pay|مكافأة نهاية الخدمة|مستحقات نهاية الخدمة|نهاية خدمة|مستحقات|مستحقاته|مستحقاتها|مخالصة|annual bonus of|مرتب|يقبض شهريا|دخله|دخلها|basic pay|base pay|get paid|gets paid|payslip|pay slip|stipend|بدل نقل|بدل النقل|بدل مواصلات|بدلات|علاوة|بدل السكن|housing allowance|transport allowance|allowance|راتب|راتبي|رواتب|معاش|دخل|دخل شهري|أجر شهري|اتقاضى|أتقاضى|يتقاضى|تتقاضى|أقبض|يقبض|استلم شهريا|بدل سكن|salary|basic salary|monthly salary|income|monthly income|annual income|wage|wages|earn|earns|earning|earnings|paycheck|pension|
    i make|he makes|she makes|gross pay|net pay|take home|compensation`,
  balance: `رصيد حساب|رصيد|رصيدي|رصيد حالي|رصيدك|رصيد متاح|رصيد متوفر|current balance|balance|account balance|my balance|available balance|outstanding balance|savings|مدخراتي|مدخرات`,
  credit: `تعثرين|تعثرات|تعثر ائتماني|أوقفوا خدماتي|وقفوا خدماتي|خدماتي موقوفة|خدماتي موقفة|موقفين خدماتي|درجة ائتمان|درجة ائتمانية|تقييم ائتماني|تقرير ائتماني|سجل ائتماني|ائتمان|درجة ائتمان|سمة|simah score|متعثر|متعثرة|تعثر|تعثرت|قرض|قرض شخصي|تمويل شخصي|تمويل عقاري|قسط|أقساط|إيقاف خدمات|متأخرات|التزامات شهرية|التزاماتي|سجل سمة|تقرير سمة|قرض عقاري|قرض سيارة|مديونية|مديونيات|
    قائمة المتعثرين|قوائم المتعثرين|قائمة سوداء|القائمة السوداء|defaulters list|defaulter list|defaulters|blacklist|black list|missed payments|late payments|credit bureau|credit record|credit score|credit rating|credit report|credit history|credit limit|simah|loan|personal loan|mortgage|defaulted|default|overdue|in arrears|arrears|bankrupt|bankruptcy|blacklisted|debt|debts|installment|instalment|emi|overdraft|owe|owes|owed|owing`,
  address: `عنوان|عنواني|عنوان منزل|عنوان سكن|عنوان بيت|address|home address|mailing address|postal address|street address|billing address|shipping address|delivery address`,
  shortAddress: `رمز مختصر|الرمز المختصر|عنوان قصير|رمز العنوان|short code|عنوان وطني|عنوان مختصر|عنوان وطني مختصر|national address|short address|short national address`,
  residence: `home في|currently in|i am now in|i m now in|i am currently in|i m currently in|أنا حاليا في|أنا الآن في|أنا الحين في|أنا حاليا عند|متواجد في|متواجدة في|currently at|i am at|i m at|parked at|parked behind|parked near|parked outside|parked beside|parked opposite|stuck on|stuck at|broke down on|broke down near|واقف عند|واقف جنب|واقفة عند|متعطل عند|متعطل في|متعطلة في|my location is|i am near|i m near|أقيم في|نقيم في|عايش في|عايشة في|يعيش في|تعيش في|بيت أهلي|استراحتي|مزرعتي|عمارتنا|ساكن|ساكنة|ساكن في|أسكن|اسكن في|يسكن|تسكن|نسكن|بيتي|بيتنا|بيته|بيتها|منزلي|منزلنا|سكني|شقتي|فلتي|مقيم في|مقيمة في|نازل في|i live|live in|live at|lives in|lives at|living in|living at|we live|my home|my house|my apartment|my flat|my villa|reside|resides|residing|i stay|staying at|موقعي|موقع بيتي|لوكيشن|my location|current location|home location|gps|إحداثيات|coordinates`,
  network: `ip|ip address|عنوان ip|آي بي|عنوان الآي بي|اي بي`,
  order: `timestamp|epoch|unix time|log id|طابع زمني|طلب|طلبية|رقم طلب|طلبات|شحنة|رقم شحنة|تذكرة|رقم تذكرة|فاتورة|رقم فاتورة|معاملة|رقم معاملة|مرجع|رقم مرجعي|رقم مرجع|مرجعي|بلاغ|رقم بلاغ|شكوى|رقم شكوى|بوليصة|بوليصة شحن|حجز|رقم حجز|تتبع|رقم تتبع|رقم تسلسلي|تسلسلي|سيريال|
    قطعة|رقم قطعة|منتج|رقم منتج|صنف|باركود|مفوتر|عداد|رقم عداد|عقد|رقم عقد|صك|رقم صك|عملية|رقم عملية|حوالة|إيصال|رقم إيصال|كوبون|قسيمة|موديل|رمز بريدي|رقم بريدي|كود خصم|رمز خصم|كود منتج|رمز منتج|كود لون|رمز ترويجي|كود ترويجي|رمز دولة|كود دولة|مفتاح دولة|رمز خطأ|كود خطأ|رمز طلب|كود طلب|رمز لون|رمز قسم|رمز مقرر|رمز الاستجابة|
    رحلة|رقم رحلة|صندوق بريد|غرفة|مقعد|بوابة|بي ان ار|pnr|رقم تحويلة|تحويلة|إصدار|نسخة|رقم اشتراك|اشتراك|طرد|رقم طرد|مزاد|مناقصة|رقم مناقصة|رخصة بناء|رخصة البناء|رخصة بلدية|رخصة تجارية|رخصة محل|رخصة برنامج|building permit|business license|business licence|software license|license key|الميلادي|الميلادية|ترخيص|قرار|تعميم|لجنة|صفحة|مادة|رقم عضوية|عضوية|رقم جهاز|جهاز|رقم عينة|عينة|رقم وثيقة|رقم دفعة|دفعة|ماكينة|مستودع|كتاب|ردمك|
    order|order number|order no|order id|purchase order|po|po number|ticket|ticket number|ticket id|shipment|shipment number|tracking|tracking number|tracking id|track|invoice|invoice number|invoice no|reference|reference number|ref|ref no|booking|booking number|booking reference|reservation|case|case number|case id|serial|serial number|serial no|sku|part|part number|policy|policy number|confirmation number|
    booking code|reservation code|رمز الحجز|كود الحجز|receipt|receipt number|awb|waybill|parcel|package|product|product id|product code|item|item number|item code|model|model number|barcode|meter|meter number|contract|contract number|transaction|transaction id|transaction number|coupon|coupon code|voucher|voucher code|bill number|bill|complaint|complaint number|request number|request id|incident|incident number|delivery number|batch|batch number|lot|lot number|asset|asset number|quote|quotation|claim|claim number|promo code|discount code|
    default language|default setting|default settings|default value|default option|default browser|by default|zip code|postal code|country code|area code|error code|color code|colour code|course code|dress code|source code|qr code|bar code|dial code|job id|job number|version|build|isbn|flight|room|gate|seat|extension|page|unit|tender|membership number|device id|sample|error|session id|user id|username|log id|request|sort code|swift code|building code|status code|http`,
  person: `إصابته|إصابتها|إصابتي|حالته الصحية|حالتها الصحية|حالتي الصحية|صاحبتها|صاحبها|صاحبه|صاحبته|أعطوني|عطوني|أعطاني|كتبوا لي|وصفوا لي|الخاص بي|الخاصة بي|الخاصة بولدي|الخاص بولدي|الخاص به|الخاصة به|الخاص بها|الخاصة بها|المؤمن عليها|المؤمن عليه|المؤمن لها|المؤمن له|أخذت|خذيت|استعملت|أستعمل|أحس|حاسس|حاسة|أشعر|يحس|تحس|يشعر|تشعر|أشكو|تشكو|يشكو|طلعت نتيجة|نتيجة الخزعة|نتيجة الأشعة|نتيجة المنظار|نتيجة الرنين|العناية المركزة|نتيجة تحليل|نتائج تحليل|نتيجة فحص|نتيجة تحاليل|حرمتي|حرمته|المدام|المدام حقتي|صوتي|صوته|صوتها|وجهي|وجهه|وجهها|عيني|عينه|عينها|إصبعي|أصابعي|جسمي|دمي|عائلتنا|عائلتي|عائلته|عائلتها|عيلتنا|أهلي|أهله|أهلها|معه|معها|فيه مرض|فيها مرض|جارنا|جارتنا|جيراننا|زميلنا|زميلتنا|مديرنا|مديرتنا|صديقي|صديقتي|سواقنا|سائقنا|شغالتنا|عاملتنا|حارسنا|عامل|عاملة|سائق|خادمة|حارس|يتناول|تتناول|أتناول|يستخدم|تستخدم|أستخدم|وصف له|وصف لها|صرف له|صرفت له|صرف لها|المذكور|المذكورة|المتوفى|المتوفاة|takes|taking|prescribed|priest|bishop|pastor|nun|monk|husband|mum|شخصتني|شخصوا|حقي|حقتي|حقه|حقها|حقته|حقتها|تبعي|كتب لي|كتبلي|وصف لي|صرف لي|صرفوا لي|الدكتور قال|أخذت إجازة|hx|pmh|dx|إجازة مرضية|تقرير طبي|sick leave|جنسيته|جنسيتها|جنسيتي|دخلت الطوارئ|للطوارئ|تنومت|انومت|نوموني|نوموه|نوموها|مراجعة الطوارئ|عندي|إني|انني|كوني|إنني|لدي|أنا|أعاني|اعاني|مصاب|مصابة|مريض|مريضة|زوجتي|زوجي|ابني|بنتي|ابنتي|ولدي|طفلي|طفلتي|والدي|والدتي|أمي|أبوي|أبي|أخي|أخوي|أختي|عنده|عندها|لديه|لديها|يعاني|تعاني|شخصت|شخصوني|تشخيص|تشخيصي|شخصني|أتعالج|يتعالج|تتعالج|أتلقى|آخذ|أخذ|
    عميل|عميلة|موظف|موظفة|متصل|متصلة|سيد|سيدة|راجعت|فيني|معي|معاي|حالتي|نتيجتي|نتيجتها|نتيجته|تحاليلي|مراجع|مراجعة|جدي|جدتي|عمي|خالي|زميلي|زميلتي|نفسيتي|أصبت|أصيب|أصيبت|تعبان|تعبانة|سويت|سوى|عملت|أجريت|أجرى|أجرت|أنه|انه|أنها|انها|خطيبتي|زوجة|زوج|ابن|ابنة|بنت|ولد|والد|والدة|أمه|أمها|أبوه|أبوها|أخ|أخت|أخوه|أخوها|عمة|خالة|حفيد|حفيدة|كفيل|كفيلي|صديق|صديقة|صاحبي|صاحبتي|زميل|زميلة|جارتي|عامل|عاملة|خادمة|شغالة|مسافر|مسافرة|زائر|زائرة|معتمر|حاج|سائق|سواق|معلم|معلمة|مدرس|لاعب|موكلي|مستأجر|مستأجرة|شريك|شريكة|مدرب|حارس|مرشح|مرشحة|ضيف|ضيفة|شاهد|مشتبه|خطيبي|رضيع|جنين|توأم|راكب|عضو|سويت|عمل|خضع|خضعت|يأخذ|تأخذ|ياخذ|تاخذ|أراجع|يراجع|تراجع|تعرضت|تعرض|يتعاطى|هو|هي|مواطن|مواطنة|متقدم|متقدمة|مدير|مديري|ديانتي|ديانته|مذهبي|مذهبه|بياناته|بياناتها|بصمته|بصمتها|بصمتي|بصمة إصبعه|رفعت|شخص|شاب|فتاة|رجل|امرأة|سيدة|طفل|طفلة|مستفيد|مستفيدة|سجين|متهم|طالب|طالبة|
    i|pt|my|me|mine|im|he|she|his|her|him|patient|customer|employee|client|wife|husband|son|daughter|mother|father|mom|dad|brother|sister|diagnosed|suffers|suffering|caller|colleague|manager|applicant|candidate|tenant|member|neighbour|neighbor|mr|mrs|ms|boy|girl|man|woman|child|baby|kid|we|beneficiary|resident|citizen|driver|student|uncle|aunt|grandfather|grandmother|boss|friend|cousin|person|who|worker|guard|cook|chef|tester|officer|lawyer|pilot|technician|gardener|cleaner|receptionist|accountant|founder|owner|landlord|nominee|delegate|volunteer|intern|trainee|maid|nanny|housemaid|partner|roommate|teacher|witness|suspect|defendant|accused|nephew|niece|grandson|granddaughter|fiance|fiancee|baby|newborn|infant|twins|inmate|passenger|guest|coworker|guy|lady|them|their|us|subscriber|cardholder|policyholder|insured`,
  general: `متوسط راتب|متوسط الراتب|متوسط دخل|متوسط الدخل|مرتبة|المرتبة|how much|cost of|price of|كم سعر|كم تكلفة|كم يكلف|حقوق|تكفل الدولة|رعاية الأيتام|كفالة الأيتام|our pharmacy|our clinic|our center|our centre|our store|our hospital|our shop|our company|our app|our website|our bank|our branch|صيدليتنا|عيادتنا|مركزنا|متجرنا|شركتنا|سلم رواتب|سلم الرواتب|متوسط الرواتب|متوسط رواتب|الحد الأدنى للأجور|مسير الرواتب|salary range|salary scale|average salary|minimum wage|minimum salary|maximum salary|minimum income|average income|starting salary|salary requirement|الحد الأدنى للراتب|الحد الأدنى للرواتب|الحد الأدنى للدخل|حد أدنى للراتب|salary survey|salaries|ما هي|ما هو|ماهي|ماهو|وش هو|وش هي|ما معنى|أعراض|أسباب|الوقاية من|وقاية|فوائد|أضرار|توعية|حملة|حملات|اليوم العالمي|يوم عالمي|مؤتمر|بحث|أبحاث|مقال|مقالة|دراسة|كلية|ندوة|محاضرة|منظمة|جمعية|جمعيات|وزارة|مستشفى|مركز|مستشفيات|عيادة|عيادات|قسم|تطبيق|معرض|دورة|كتاب|سورة|آية|تاريخ الإسلام|مسجد|جامع|بنك|مصرف|حصة|مادة|مقرر|تخصص|نظام|لائحة|شركة|مكتبة|برنامج|فيلم|مسلسل|رواية|
    training|workshop|webinar|covers|course on|what is|what are|what s|symptoms|symptom|causes|prevention|benefits of|meaning of|campaign|awareness|article|conference|research|study|studies|book|course|world|day|department|hospital|clinic|center|centre|association|ministry|society|exhibition|lecture|seminar|museum|history|film|movie|series|novel|app|bank|mosque|company|store|news|statistics|foundation|university|college|brochure|leaflet|policy|regulation|law|laws`,
};

export const LABEL_INDEX = new PhraseIndex<Label>('bare');
for (const label of Object.keys(LABELS) as Label[]) LABEL_INDEX.add(LABELS[label], label);
