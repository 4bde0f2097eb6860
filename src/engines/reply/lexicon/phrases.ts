/**
 * Several words that are one thing: `*` stands for up to two words, which stay. The last column is the concept, '' for
 * what is only politeness.
 */
export const PHRASE_ROWS: readonly (readonly [concept: string, phrases: string])[] = [
  [
    'cancel',
    'get rid of|after all|not interested|regret|لا عاد|تراجع|التراجع|اتراجع|ما لي فيه|call off|called off|call * thing off|back out|out of the system|take * out|take it off|ما عاد لي حاجه|مالي حاجه|عدم الحضور|take off|ما عاد ابي|ما عاد ابغي|ما عاد احتاج|ما ابغي اجي|ما ابي اجي|ما راح اجي|مو جاي|ماني جاي|مب جاي|كن سل|can sell|صرفت النظر',
  ],
  [
    'nowant',
    'not interested|rather not|didnt send|didnt want|dont want|do not want|dont need|do not need|no longer want|no longer need|didnt want',
  ],
  ['return', 'send * back|sent * back|bring * back|give * back|take * back|hand * back|sending * back'],
  ['refund', 'money back|my money|the money|my money again|pay * back|paid * back|get * back my money|cash back'],
  [
    'price',
    'how much|what does * cost|بشكثر|شكثر سعر|شكثر يكلف|شكثر يطلع|كم سعر|كم تكلفه|كم يكلف|كم حق|بكم|كم رسوم|كم تطلع|كم قيمه|كم تاخذون على|كم تحسبون|كم الحساب|كم احاسب|كم ادفع|كم يطلع|كم ريال|قد ايش|كم اقل|ببلاش|مجان|مجاني|كم كشف|كم الكشف|كم تنظيف|كم التنظيف|كم التقويم|كم التبييض',
  ],
  [
    'duration',
    'how long|how many days|how many minutes|how many hours|how fast|how quickly|how soon|شكثر ياخذ|شكثر تاخذ|شكثر يطول|شكثر تطول|شكثر وقت|كم دقيقه|كم ساعه ياخذ|كم ياخذ|كم تاخذ|كم يطول|كم تطول|كم مده|كم من الوقت|كم يستغرق|كم تستغرق|كم وقت',
  ],
  [
    'transit',
    'on * way|sent out|gone out|on the road|out for delivery|left the warehouse|how far away|how far along|went out|go out|goes out|left yet|where it is|where is it now',
  ],
  ['arrive', 'show up|showed up|shows up|shown up|turn up|turned up|get here|got here'],
  [
    'status',
    'going on|whats up|what is up|what happened|whats happening|any word|any news|news about|news on|no news|heard nothing|have not heard|havent heard',
  ],
  ['other', 'somewhere else|some other|another one|يوم ثاني|وقت ثاني|يوم غير|غير يوم|مكان ثاني'],
  [
    'human',
    'customer service|customer care|customer support|خدمه العملا|live person|some body|one of you|واحد من عندكم|ابي احد|احد اكلمه|رد الي|الرد الالي|بني ادم',
  ],
  ['talk', 'put me through|put me on|pass me|let me talk|hand me over|حول ني'],
  [
    'unable',
    'doesnt work for me|does not work for me|doesnt suit me|does not suit me|is not good for me|isnt good for me|wont work for me|cant make it|cannot make it|cant come|wont be able|will not be able|not able|ما اقدر|ما اقدر اجي|ما يمديني|ما يمدي|ما يناسبني|ما يناسب|ما تناسبني|مو قادر|ماني قادر|مب قادر|لن اتمكن|لا استطيع|ما يصلح|ما يصير لي|عندي ظرف|جاني ظرف|صار لي ظرف|صار عندي|طرا لي|طلع لي|عندي سفر|مسافر',
  ],
  [
    'absent',
    'was asleep|be there tomorrow|cant be there|cannot be there|not be there|came by|too early|miss him|missed the delivery man|missed the guy|missed him|missed the driver|missed the courier|rang the bell|not home|not at home|wasnt home|wasnt at home|isnt home|wont be home|was out|not there|wasnt there|nobody home|nobody was|no one was|was away|not around|nobody answered|no one answered|tried to deliver|couldnt hand over|could not hand over|missed you',
  ],
  [
    'defect',
    'doesnt work|does not work|not working|stopped working|doesnt turn on|does not turn on|wont turn on|will not turn on|in pieces|fell apart|falling apart|in bits',
  ],
  ['wrong', 'by mistake|by accident|not what * ordered|not the one|not what * wanted|not right'],
  ['until', 'how late|until when|till when|until what time|what time|الي متي|لين متي|حتي متي|الين متي'],
  ['anymore', 'any more|any longer|no longer|ما عاد'],
  ['mind', 'changed my mind|change my mind|غيرت رايي'],
  ['urgent', 'وش اسوي|وش الحل|ايش اسوي|شو اسوي|ايش الحل|شنو اسوي'],
  ['pain', 'ضرسي يعورني'],
  [
    'location',
    'where are you|وين انتم|فين انتم|وين انتو|فين انتو|وينكم|كيف اوصل|كيف اجيكم|كيف اوصلكم|كيف اجي|اي شارع|اي حي|باي حي|وين مكان|وين صرتو',
  ],
  ['repeat', 'more time|come again|say * again|مره ثانيه|مره اخري'],
  ['bye', 'have a good|have a nice|see you|مع السلامه|في امان الله|فمان الله'],
  [
    'hello',
    'مساء النور|صباح النور|good morning|good afternoon|good evening|السلام عليكم|صباح الخير|مساء الخير|حياك الله|حياكم الله|مساك الله بالخير|صبحك الله بالخير|يا هلا|هلا والله|hello there|hi there|hey there',
  ],
  ['thanks', 'يعطيك العافيه|الله يعافيك|جزاك الله خير|الله يجزاك خير|ما قصرت|كثر خيرك|بارك الله فيك'],
  ['done', 'thats all|that is all|thats it|thats everything|that is everything|nothing else|هذا كل شي|بس كذا|ولا شي'],
  [
    '',
    'look something up for me|look something up|do something for me|sorry to bother you|i was wondering if you could|i was wondering if|i was wondering|i would like to know|i would like|i want to know|could you tell me|can you tell me|could you please|is it possible to|is it possible|if that is still possible|if that is possible|too late to|is it still possible|i need to know|do me a favor|لو تكرمت|لو تكرمتي|اذا ممكن|لو ممكن|اذا ما عليك امر|ابي اسالك عن|ابغي اسال عن|ابي اسال عن|ابغي اعرف|ابي اعرف|ودي اعرف|بغيت اسال عن|بغيت اعرف|حاب اسال عن|عندي سوال|عندي استفسار|بغيت استفسر|ابي استفسر|الله يعطيكم العافيه|الله يعطيك العافيه|يعطيكم العافيه|انتم ضمن|i hope you can help me|i hope you can help|i was hoping that|i was hoping|the thing is|any idea|do you know|can you see|اسف علي الازعاج|اسفه علي الازعاج|ورحمه الله وبركاته|ورحمه الله|كيف حالكم|كيف حالك|كيفكم|عساكم طيبين|وش اخباركم|طال عمرك|الله يحفظك|الله يسعدك|الله يخليك|الله يعافيك|ما عليك امر',
  ],
  ['clock', 'what time is it|whats the time'],
  [
    'cancel',
    'call * off|called * off|take my name off|امسحوا اسمي|امسح اسمي|مسح اسمي|شيلوا اسمي|فضوه|عطوه غيري|عطوه غيرها|اعطوه غيري|لن اتي|لن احضر|ما عاد اجي|مو جايه|ماني بجاي|مب جايين|مو جايين|ما احنا جايين',
  ],
  [
    'nowant',
    'no need|rather you didnt|changed our mind|changed our minds|decided against|ما له لزوم|ما له داعي|ما له حاجه|ماله داعي|ماله لزوم|عاد له لزوم|عاد له داعي|ما عاد يلزم|ما يحتاج|ما لي نفس|ما صار لي نفس|ما لي خلق|مو محتاج|مب محتاج|ما احتاج|ما نحتاج|صرفنا النظر',
  ],
  [
    'status',
    'any sign of|any update|any updates|any progress|label created|what is the position|stuck on|where has * got to|where is it up to|وش صار على|وين وصل|فين وصل|وش وضع|وين صار',
  ],
  ['yet', 'till now|until now|so far|لين الان|لحد الحين|لحد الان|الي الان|حتي الان|لين الحين'],
  ['arrive', 'come through|came through|has * come|reached me|not reached|got it|made it here'],
  [
    'address',
    'delivery location|drop location|drop off location|location in the app|wrong location|new location|new place|new flat|new house|new building|different district|another district',
  ],
  ['moved', 'moved house|moved flat|moved out|shifted flat|shifted house|have shifted|live * now|living * now'],
  [
    'defect',
    'does not turn on|wont start|will not start|wont charge|does not charge|wont switch on|not turning on|no power|smoke out|burning smell|popping sound|came apart|came off|in * bits|hundred bits',
  ],
  [
    'human',
    'someone real|living person|real human|actual person|actual human|flesh and blood|ادمي|احد عنده علم|احد حي|واحد من الموظفين|شخص حي',
  ],
  [
    'talk',
    'have a word|a word with|get hold of someone|put * through|pass me|مرر المكالمه|تمررين المكالمه|مرري المكالمه|حول المكالمه',
  ],
  ['reception', 'front desk|السنترال|الكاونتر|مكتب الاستقبال'],
  [
    'until',
    'until which|till which|till when|how late|لين كم|الين كم|لحد كم|لمتي|لين الساعه|الي اي ساعه|الين الساعه|كم تجلسون|لي كم',
  ],
  [
    'price',
    'what do you charge|what would * cost|how much would|how much do|how much is|how much for|what is the fee|what is the charge|do i pay * for|بكم تحسبون|كم يحسبون|بكم يحسبوها|كم بيطلع|كم يطلع علي|كم تاخذون|كم بتكلفني|كم تكلف|كم بتكلف|كم راح|من كم يبدا|من كم تبدا|كم سعركم|كم ساعر|بكام|كم رسومها',
  ],
  [
    'duration',
    'how many working days|turnaround|on what day would|by when|how quick|how soon|how long|what day will|قد ايش اقعد|قد ايش حاقعد|كم اقعد|كم بقعد|كم اجلس|كم بجلس|كم دقيقه|كم من الوقت|كم ساعه يبيلها|يبيلها وقت|يبي له وقت|ياخذ وقت|ياخد وقت|كم ياخد|كم تطول|كم يطول|قد ايش ياخذ|قد ايش ياخد|قد ايش تاخذ|كم مده|ابطي علي الكرسي',
  ],
  [
    'nofit',
    'too tight|too big|too small|too loose|too short|too long|does not fit|doesnt fit|didnt fit|not fit|not fitting|bit snug|not suiting|does not suit|doesnt suit',
  ],
  ['return', 'getting it back to you|get it back to you|give it back|handing * over|return pickup|ex change'],
  [
    'refund',
    'my refund|credited back|not credited|not credit|still not credited|money come back|my flus|wheres my money|get reimbursed',
  ],
  ['money', 'cash machine'],
  ['terminal', 'card machine|card reader|pos machine|payment terminal'],
  [
    'pay',
    'cash on delivery|payment on delivery|cod|online payment|settle the bill|settling it|pay at the door|مره وحده|فلوس ورق',
  ],
  ['installment', 'اقسمها|اقسمه|على دفعات|بالتقسيط|كم شهر'],
  [
    'abroad',
    'beyond the kingdom|out of the country|another country|other country|other countries|outside saudi|outside the kingdom|south africa|hong kong|new york|sri lanka|south korea|برا السعوديه|خارج المملكه|برا المملكه',
  ],
  [
    'city',
    'al ula|hafr al batin|khamis mushait|wadi al dawasir|al khobar|al ahsa|al kharj|al baha|al jouf|al qassim|jubail industrial city|حفر الباطن|خميس مشيط|وادي الدواسر|المدينه المنوره|مكه المكرمه',
  ],
  [
    'number',
    'order number|order id|order no|tracking number|tracking id|reference number|order code|reference code|رقم الطلب|رقم الحجز|رقم الشحنه',
  ],
  ['driver', 'delivery man|delivery guy|delivery boy|delivery person|your guy|your man|the guy|the captain|الكابتن'],
  ['message', 'missed call|whats app|text message|رساله نصيه'],
  [
    'location',
    'how do i get to|how i get to|which building|which street|drive over|get directions|describe * way|اقرب معلم|كيف الاقيكم|كيف القاكم|كيف اوصل|وش حولكم|وش حواليكم|اروح يمين|يمين ولا يسار|علي اي شارع|دلني|دليني|دلوني|وصفي لي|وصف لي|اوصف لي',
  ],
  ['firsttime', 'first time|first visit|اول مره|اول زياره|للمره الاولي|المره الاولي|فتح ملف|ملف جديد'],
  ['clean', 'ازاله الجير|شيل الجير|تشيل الجير|ازاله الكلس|جلسه تنظيف'],
  ['braces', 'تعديل الاسنان|تعديل اسنان|صف الاسنان|اسلاك'],
  ['whiten', 'تفتيح لون|لون الاسنان|افتح لون|تصير بيضا|سنوني بيضا|اسناني صفرا|اسناني صفر'],
  [
    'emergency',
    'ما وقف|ما يوقف|الدم ما|ماذا افعل|وش نسوي|ايش اسوي|ويش اسوي|شسوي|ايش نسوي|تعرضت لضربه|جته ضربه|طاح سنه|انخلع سنه|نص سنه|سنه طاح|درجه حراره',
  ],
  [
    'bring',
    'اجيب معي|اخذ معي|اخد معايا|اجيب معايا|ايش اخد|وش اجيب|ايش اجيب|وش احضر|المطلوب مني|الوثايق|المستندات المطلوبه|الاوراق المطلوبه|احضارها',
  ],
  [
    'remember',
    'طارت من بالي|طار من بالي|راح عن بالي|راح من بالي|نسيت متي|ما ادري متي|slipped my mind|cant remember|dont remember|do not remember|cannot remember|no idea when',
  ],
  [
    'unable',
    'عندي اجتماع|عندنا اجتماع|عندي شغل|انا مشغول|مشغول|ما ينفع معايا|ما ينفعني|ما ينفع لي|ما اقدر اطلع|ما قدرت|طالع البر|ما يمديني|بكون مسافر|بسافر|عندي دوام|عندي اختبار|عندي ظروف|ما يساعدني',
  ],
  ['instead', 'instead of|rather than|بدل من|بدلا من|بدال|عوضا عن'],
  [
    '',
    'kindly|sir|maam|madam|mam|brother|my friend|bro|boss|po|ko|lang|naman|ba|يا بنت الحلال|يا ولد الحلال|يا اختي|يا اخوي|يا اخي|يا اختي الكريمه|يا غالي|يا غاليه|يا طويل العمر|معليش|معلش|بالله|بالله عليك|الله يرضي عليك|الله يعافيكم|الله يخليكي|الله لا يهينك|من فضلك|من فضلكم|ارجو افادتي|ارجو|هل من الممكن ان|هل من الممكن|هل يمكنني|حبيت اسال|حبيت اسالكم|كنت ابي اسال|كنت بسال|ودي اعرف|اريد معرفه|i hope you are well|i just wanted to|i wanted to ask|just wanted to check|quick question|sorry to trouble you|if you dont mind|be so kind|i thought i better ask|i thought id better ask',
  ],
  [
    'status',
    'in transit|what is the hold up|whats the hold up|the hold up|where it is at|where its at|which town my|which city my',
  ],
  ['address', 'wrong building|building number|sent to the wrong|put in * address|another villa'],
  [
    'cancel',
    'keep * from going through|make * order disappear|make it disappear|no use for|dont send it|do not send it|امسحي اسمي|بطلت اجي|ما لي لزمه|مالي لزمه|ما لي حاجه|ياليت تلغون|فياليت تلغون',
  ],
  [
    'human',
    'whoever is on shift|whoever is there|anybody there|somebody there|واحد من ربعكم|احد من ربعكم|يمسك الخط|احد يمسك',
  ],
  [
    'hours',
    'answer this line|answer the phone|pick up the phone|picking up the phone|after midnight|at that hour|during ramadan|your timings|open in the',
  ],
  [
    'price',
    'what amount|comes on top|how many riyals|كم تطلع علينا|كم تطلع|كم ريال تحسبون|كم راح تاخدوا|كم راح تاخذون|كم تاخدوا|كم تاخذوا|وش يكلفني|ايش يكلفني|بكم ريال',
  ],
  ['duration', 'number of days|how many day|how manny days|اخلص بسرعه|ابطي فيه|كم دقيقه احتاج|لين اطلع'],
  ['return', 'giving it back|give back|unwanted item|sending * back'],
  [
    'refund',
    'amount you owe|you owe me|bank show|my amount|amount not come|have refunded me|refunded me|no sign of the amount',
  ],
  ['pay', 'money in hand|hand over the notes|cash in hand|احاسبكم بالجوال|ابل باي'],
  [
    'driver',
    'does the courier ring|ring ahead|call ahead|before he comes|before he arrives|when your man|is getting close|getting close|some kind of warning|just turn up',
  ],
  ['number', 'four digits|order reference|the reference|no clue where'],
  ['abroad', 'another country|to my family in|friends back in|back in manila|all the way there'],
  ['size', 'most you would carry|most youd carry|too big for|too large for|too heavy for'],
  ['remember', 'ضاعت الورقه|راحت الورقه|متي حاطينها|حاطيني فيه|ورقه وضاعت'],
  ['location', 'كيف اصلكم|واقف عند|باي حاره|اي حاره|وين بالضبط|قدام ايش|جنب ايش'],
  [
    'parking',
    'احط سيارتي|اوقف سيارتي|مكان لسيارتي|مكان للسياره|ترك سيارتي|لوقوف المركبات|مواقف للسيارات|اصف سيارتي|اركن سيارتي|وقفت على الرصيف',
  ],
  ['emergency', 'فمي كله دم|كله دم|ينزل دم|ينزف دم|ما يوقف|فكي منتفخ|خدي منتفخ|وجهي منتفخ|ايش اسوي|وش اسوي الحين'],
  [
    'bring',
    'اخدها معايا|اخذها معي|الحاجات اللي|اخد معايا|احظر معايا|احضر معاي|يكفي الجوال|تكفي الاقامه|الاقامه تكفي|يلزمني احضار|ابراز الاقامه|ابراز الهويه|احتاج الهويه',
  ],
  ['checkup', 'الزياره الاولي|زياره الطبيب|مقابله الطبيب|اول كشف'],
  ['unable', 'حط لنا دوره|ما اقدر اطلع|صادف يوم|تعارض مع'],
];
