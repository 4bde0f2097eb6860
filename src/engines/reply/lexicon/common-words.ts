/** Said around the point: they weigh little, and never decide alone. */
export const WEAK_WORDS: readonly string[] = [
  'i im id ive ill me my mine myself we us our you your u youre a an the to of for on in at by with it its is are am be was were been being do does did',
  'can could would will shall should may might must want wanna wants need like love help get got have has had make made let lets',
  'please kindly just that this these those there here and or but so if then than any some about from as what whats which how all too also',
  'hey hi hello ok okay yeah well um uh er hmm actually maybe sorry excuse do make take give go going tell yet instead know up out into over',
  'ابغي ابغا ابي نبي نبغي اريد اود ودي بغيت تبي ابا حاب حابب حابه عايز عاوز محتاج احتاج ارغب ارجو اقدر ممكن لو سمحت فضلك تكفي تكفون عشان علشان',
  'انا انت انتي انتم احنا نحن هو هي في من الي علي عن مع لي لنا لك عندي عندكم عندك لكم كم هل ايش وش شو شنو ايه هذا هذي هاذي اللي الذي يا ان او و ثم بس يعني طيب حق حقي حقت',
  'السلام عليكم مرحبا اهلا هلا هلو والله الله يعطيك العافيه الحين كيف شلون متي قد كان يكون اذا فيه فيها به لها له اعمل اسوي سوي اخذ عطني قول',
];

/** Noise of speech: carries nothing at all, and is taken out before matching. */
export const FILLER_WORDS =
  'uh um er erm hmm ah oh eh uhm mm please plz pls kindly well like just actually basically maybe kinda يعني اممم امم اه اا ااا والله تكفي تكفون الله يعطيك العافيه يعافيك فضلا سمحت لوسمحت طال عمرك اخوي اختي حبيبي ياخي';

/**
 * Everyday words of stories and politeness: where an agent does not know one, it says hardly anything about whether the
 * sentence is for the agent.
 */
export const COMMON_WORDS: readonly string[] = [
  'able website online husband parents system information info details guy apple twice rather hold able about above across actually after afternoon ago all almost already also although always among anybody anyone anything anyway around ask asked asking away back bad because before began behind being below best better between both bother bring call called calling came certain could couple day days deal did each early either end enough even evening ever every everything exactly except fact far feel few figure first found from front full gave getting given glad gone good great guess guys half happen happy hard hear heard here him his her he she they them their hold hope hoping hour hours however idea important inside interested issue just keep kind knew last later least left less little live living long longer looking lot many matter mean means meant mention might mind minute minutes moment month months more morning most much name near never nice night nobody note noticed notice now of off often old once one only order other outside own part people perhaps place placed please point possible possibly pretty probably problem properly put quick quite rather ready really reason regarding right said same saw saying see seem seems seen several since some sometime somehow soon still stop such supposed sure talking than that then these think this those though thought through till today together told tomorrow too took tried try trying two type under understand unfortunately until use used using usually very wait waiting was way week weeks were what whatever when where whether while who whole why wish with wonder wondering work worried would year years yes yesterday yet',
  'هالايام مجال بالضبط علي حد قريبه بيتي امي لامي ابوي بنفس نفس وصلتني حذفتها بالغلط لقيت قررت يرد ترد هات خلني خلي خلوها خلوه خله احط يصير تصير حق مالي وياكم اتصل متصل اتصلت اتصال اول اخر اسبوع اسابيع شهر يومين يوم ايام امس قبل بعد بعدين الان توي اللحين صار صارت يصير راح رحت جيت كنت كانت يكون لان لاني عشاني مره مرات واجد كثير شوي قليل جدا مساك بالخير كيفكم كيفك تكرمت تكرمتي تكرما اسف اسفه ازعاج ازعجتكم ممكن يمكن امكن اذا لما وقت خير طيب زين تمام حلو اكيد طبعا شي شيء حاجه بخصوص بالنسبه لموضوع موضوع سالت اسال سوال سؤال ابغاك ابيك تشوف تشوفين تشوفون شوف شوفي اشوف نشوف لو هنا هناك كذا زي مثل كل بعض احد واحد ناس جماعه اهلي امي ابوي زوجتي زوجي اخوي اختي حضرتك حضرتكم يمديني استاذ الحمدلله انشالله انشاءالله تقدر تقدرين تقدرون يقدر اقدر يمكنني الحصول لدي لديكم تخبرني تعلمني علمني قوللي تقولي عرفت اعرف ابعرف ادري تدري مدري باسمي اسمي الاسم بالليل الصبح اليوم بكره الخير حال حالك عساكم طيبين ورحمه وبركاته هالاسبوع هاليوم هالوقت قريب سريع بسرعه مناسب يناسبني الاسبوع القادم الجاي',
];

/**
 * What people talk about when they have dialled the wrong place, or test the line: a word of these that the agent's own
 * sentences lack says that the sentence is not for this agent.
 */
export const TOPIC_WORDS: readonly string[] = [
  'weather rain raining sunny snow temperature forecast football match game score team goal player movie film cinema song music sing radio tv television actor singer joke story poem news politics president king minister election government war history capital',
  'taxi cab flight flights plane airport airline train bus hotel hotels travel trip vacation tourist passport embassy restaurant restaurants table pizza burger cook cooking recipe bake bread cake food hungry lunch dinner breakfast',
  'bank account loan lend borrow mortgage bitcoin crypto stock stocks invest investment salary job jobs career hire hiring vacancy resume interview tax taxes gold',
  'internet wifi router network password login email website app phone mobile iphone android computer software virus battery charger',
  'car cars engine garage tyre tires petrol gas fuel bicycle motorcycle license',
  'dog cat cats dogs pet pets bird fish horse plant plants garden flowers weather animal vet',
  'school university exam homework teacher student math lesson lessons course english french spanish translate language',
  'headache fever cough flu stomach hospital medicine pharmacy pill eye eyes heart blood',
  'museum dinosaurs virus concert tickets spaghetti facebook twitter youtube tall keys salt spell newspaper fever pancakes fire baby sick beach window euro dollar rain snow stamps paper room pictures nuts mom dad moon stars planet life meaning wallet wife husband lottery ambulance milk shopping vacancies mechanic station hungry singing girlfriend boyfriend marry wedding birthday party friend gym fitness swim swimming haircut hair barber salon makeup perfume',
  'electricity water plumber plumbing electrician leak roof rent landlord alarm volume channel',
  'insurance-policy lawyer police court crime fire ambulance vote religion god prayer mosque church age times plus minus sum divided',
  'جو طقس حراره درجه مطر شمس ثلج مباراه مباراة هلال نصر اتحاد دوري كوره لاعب فيلم مسلسل سينما اغنيه اغاني موسيقي راديو تلفزيون نكته قصه شعر خبر الاخبار نشره سياسه رئيس ملك وزير حكومه حرب تاريخيه عاصمه قران',
  'تاكسي اوبر رحله طيران طياره مطار قطار باص فندق فنادق سفريات سياحه جوازات سفاره مطعم مطاعم بيتزا برجر شاورما قهوه كبسه طبخ اطبخ وصفه اكل جوعان غدا عشا فطور غداء عشاء خروف ذبيحه',
  'بنك بنوك رصيد رصيدي قرض تمويل سلفه بيتكوين سهم اسهم استثمار راتب وظيفه وظايف توظيف مقابله ضريبه ذهب دولار',
  'انترنت نت واي فاي راوتر شبكه باسوورد ايميل تطبيق لابتوب جوال ايفون كمبيوتر طابعه شاشه بطاريه شاحن',
  'سياره سيارات سيارتي مكينه كفر كفرات بنزين دباب رخصه استماره',
  'كلب كلاب قط قطه قطط قطو طير سمك حصان نبات زرع ورد حديقه بيطري',
  'مدرسه مدارس جامعه اختبار واجب معلم مدرس طالب رياضيات درس دورات انجليزي ترجم ترجمه لغه',
  'صداع راس حراره كحه زكام انفلونزا بطن معده مستشفي ادويه دواء صيدليه حبوب عين عيون عيوني نظر نظاره نظارات قلب ضغط سكر سكري ظهر ركبه عظام جلد جلديه شعر نسا ولاده حمل',
  'زواج حفله ميلاد صديق نادي رياضه سباحه حلاقه حلاق صالون مكياج ملابس جزمه عبايه عطر فستان ارض عقار',
  'كهرباء كهربا مويه سباك كهربائي ايجار شقه اثاث لمبه مكيف غساله ثلاجه',
  'احبك جامعه ملعب سمك بلوك شغاله خادمه قبيله حراره مكتب الجو الحلم فيسبوك العيد اسهال ديمقراطيه كلمه معني فلم حر ثلاجتي مطعم نباتيه امتحان قاعه افراح دولار حلم غيار بلد اسعاف خشم مزكوم عروسه برج طاوله زيت فرش بخور جبس رجل رجلي جزيره طماط كيلو بلديه مخالفه مروريه مرور لندن امريكا يابان ايفون دوا كهرب زعلان محامي شرطه محكمه حريق صلاه مسجد عمره حج رمضان انتخابات قبيله بوليصه نجوم سماء قمر',
];
