import { partOf, pattern } from '../../../language/pattern.ts';
import type { Kind } from './kinds.ts';

/** A statement whose middle is free: `a member of the … society`. The text is lower case with Arabic letters folded. */
export interface Statement {
  readonly kind: Kind;
  /** Without one of these the pattern is not tried. */
  readonly gate: RegExp;
  /** The group `said` is the finding. Every repetition is bounded. */
  readonly pattern: RegExp;
  /** Only in a sentence that speaks of somebody up to there. */
  readonly person?: true;
}

const WORD = "[a-z][a-z&'’-]{0,20}";
const ARABIC_WORD = '[\\u0620-\\u064a]{2,16}';
const BODY = '(?:association|union|society|syndicate|federation|guild|brotherhood)';
const ARABIC_BODY = '(?:ال)?(?:جمعيه|نقابه|رابطه|اتحاد|حزب|هييه)';
const CRIMES = partOf`
  (?:fraud|theft|stealing|assault(?:ing)?|drugs?|drug (?:possession|trafficking|dealing|offen[cs]es?)|forgery|forging|smuggling|bribery|
  bribes|embezzlement|embezzling|robbery|burglary|murder|manslaughter|harassment|harassing|blackmail|extortion|money laundering|
  drunk driving|drink driving|reckless driving|shoplifting|possession|fighting|domestic (?:violence|abuse)|tax evasion|child abuse|abuse|
  neglect|terrorism|kidnapping|rape|stabbing|vandalism|arson|counterfeiting|cybercrime|hacking|impersonation|overstaying|begging|
  prostitution|gambling|a cheque|bad cheques?|bounced cheques?|attacking|hitting|beating|killing|dealing)
`;
/** Folded, without article. */
const CRIMES_AR = partOf`
  (?:جريمه معلوماتيه|جريمه الكترونيه|خيانه امانه|غسل اموال|غسيل اموال|تستر تجاري|شيك بدون رصيد|حيازه سلاح|سرقه|سرقات|تزوير|احتيال|نصب|
  رشوه|مخدرات|حشيش|حبوب|كبتاجون|شبو|اختلاس|ابتزاز|مضاربه|قتل|طعن|خطف|اغتصاب|تحرش|تهريب|ترويج|حيازه|تستر|تشهير|قذف|شيك|شيكات|غسل|غسيل|
  ارهاب|خيانه|عنف|اعتداء|دهس|تفحيط|سكر|مسكر|خمر|انتحال|تزييف|سلاح|ضرب|سب|تعاطي|اخلال|فساد|رشاوي|دعاره|ايواء|تسول|هروب|تغيب|نشل|سطو|حرق|
  اطلاق نار|جرايم)
`;
const CRIME_AR = new RegExp(CRIMES_AR);
const ENGLISH_PLACE =
  '(?:mosque|market|supermarket|mall|station|school|park|gate|bridge|roundabout|pharmacy|bakery|cafe|hospital|hotel|gym|street|road|avenue)';
const ARABIC_PLACE = partOf`
  (?:محطه|مسجد|جامع|مدرسه|سوق|مول|صيدليه|بقاله|مطعم|حديقه|دوار|اشاره|جسر|كوبري|نفق|فندق|مغسله|مخبز|ملعب|مقهي|كافيه|بوابه|صاله|مواقف|موقف|
  مستشفي|عياده|مطار|برج|استراحه)
`;

/** Text folds `ة` to `ه`, `ى` and `ئ` to `ي` and every alef to `ا`. */
export const STATEMENTS: readonly Statement[] = [
  {
    kind: 'Biometric',
    gate: /بصم|قزحي|شبكي|مسح/,
    pattern: pattern('g')`
      (?<![\u0620-\u064a])[وف]?(?:اخذوا?|اخذت|ياخذون|تاخذ|خذوا|طلبوا|سجلوا|سجلت|سووا|سوو|صوروا|مسحوا|رفعوا|اخذ|
      سجل) (?:${ARABIC_WORD} )?(?:مني|منه|منها|منا|منهم|لي|له|لها|لنا) (?<said>(?:(?:مسح|صوره|عينه) )?(?:ال)?(?:قزحيه|شبكيه|بصمه|
      بصمات)(?: (?:ال)?(?:عين|وجه|صوت|اصبع|اصابع|يد|كف|ابهام|عيني|وجهي|صوتي))?|مسح (?:ال)?(?:وجه|عين|كف))(?![\u0620-\u064a])
    `,
  },
  {
    kind: 'Criminal Record',
    gate: /سجن|حبس|جلد|جزايي|جنايي/,
    pattern: pattern('g')`
      (?<![\u0620-\u064a])(?<said>(?:(?:صدرت? )?(?:علي(?:ه|ها|نا)?|ضد(?:ي|ه|ها| ${ARABIC_WORD})|بحق(?:ي|ه|ها| ${ARABIC_WORD})|عند(?:ي|ه|
      ها)) حكما?|(?:محكوم|محكومه|انحكم|انحكمت)(?: علي(?:ه|ها|نا)?)?) (?:ب?ال|ب)?(?:سجن|حبس|جلد|جزايي|جنايي)(?: لمده)?(?: (?:سنه|سنتين|شهر|
      شهرين)| (?:${ARABIC_WORD}|[0-9]{1,2}) (?:اشهر|شهور|سنوات|سنين|سنه|شهر|يوم|ايام))?)(?![\u0620-\u064a])
    `,
  },
  {
    kind: 'Criminal Record',
    gate: /sentence/,
    pattern: pattern('g')`
        (?<![a-z])(?<said>(?:gave|handed) (?:me|him|her|us|them) (?:an? )?(?:[a-z0-9]{1,9}[ -]){1,2}(?:years?|months?|weeks?|
        days?)(?: (?:long|suspended|jail|prison))? sentence)(?![a-z])
      `,
  },
  {
    kind: 'Religion or Belief',
    person: true,
    gate: / party/,
    pattern: pattern('g')`
      (?<![a-z])(?<said>(?:member of|joined|belongs? to|supporter of|supports|support|vote for|votes for|voted for) (?:the |
      a )?(?:${WORD} )?(?:communist|socialist|labou?r|republican|democratic|conservative|green|liberal|baath|islamist|nationalist|
      opposition|congress|workers'?) (?:${WORD} )?party)(?![a-z])
    `,
  },
  {
    kind: 'Association Membership',
    person: true,
    gate: /member of|belongs? to|joined/,
    pattern: pattern('g')`
      (?<![a-z])(?<!(?:every|any|each|become|becoming) (?:a )?)(?<!(?:team|company|firm|university|country|kingdom|business|
      bank) )(?<said>(?:member of|belongs? to|joined) (?:the |an? )?(?!(?:european|african|credit|
      labelled) union)(?:${WORD} ){1,5}?${BODY})(?![a-z])
    `,
  },
  {
    kind: 'Association Membership',
    person: true,
    gate: /member of (?:the |an? )?[a-z]+ of /,
    pattern: new RegExp(
      `(?<![a-z])(?<said>member of (?:the |an? )?(?:${BODY}|order|institute|chamber) of (?:${WORD} )?${WORD})`,
      'g',
    ),
  },
  {
    kind: 'Association Membership',
    gate: /عضو|انتسب|منتسب|انضم|منضم|اشترك|منخرط/,
    pattern: pattern('g')`
      (?<![\u0620-\u064a])(?<!(?:كل|لكل|اي) )(?<said>(?:(?:ك?عضوه?|عضويتي|عضويته|عضويتها|منتسبه?|منضمه?|منخرطه?)(?: ${ARABIC_WORD})?|
      (?:انضممت|انتسبت|انضميت|اشتركت)(?= (?:في|الي|ب|ل))|(?:اشترك|انضم|انتسب) ${ARABIC_WORD})(?: (?:في|الي|لدي|
      ضمن))? [لب]?${ARABIC_BODY}(?! (?:ال)?تدريس)(?: ${ARABIC_WORD})(?: (?:ال|لل)${ARABIC_WORD})?)
    `,
  },
  {
    kind: 'Ethnic or Tribal Origin',
    person: true,
    gate: / (?:tribe|clan)(?![a-z])/,
    pattern: pattern('g')`
        (?<![a-z])(?:from|of|to|in) (?<said>(?:the )?(?!our|this|that|each|every|which|your|the |north|south|east|west|rival|other|same|
        whole|sales|product)(?:(?:al|bani|banu|beni)[ -])?[a-z'’-]{3,20} (?:tribe|clan))(?![a-z])
      `,
  },
  {
    kind: 'Location',
    person: true,
    gate: /parked|standing|waiting|stuck|broke down/,
    pattern: pattern('g')`
      (?<![a-z])(?:parked|standing|waiting|stuck|broke down) (?:right )?(?:at|on|near|behind|outside|beside|opposite|by|next to|in front of|
      across from) (?<said>(?:the )?(?:${WORD} ){1,4}?${ENGLISH_PLACE}(?: (?:on|in|at|off) (?:the )?(?:${WORD} ){1,3}?(?:street|road|avenue|
      district|st|rd))?)(?![a-z])
    `,
  },
  {
    kind: 'Location',
    gate: /واقف|متعطل|نتظر|انا (?:عند|جنب|قدام)/,
    pattern: pattern('g')`
      (?<![\u0620-\u064a])(?:واقفه?|واقفين|متعطله?|متعطلين|(?:انا ا|ي|ن)نتظر|انتظر(?:كم|ك)|منتظره?|انا) (?:الان |الحين )?(?:عند|جنب|قدام|
      امام|خلف|مقابل|ورا|قرب|بجانب) (?<said>(?:ال)?${ARABIC_PLACE} (?:[0-9]{1,4} (?:في|
      ب) ?${ARABIC_PLACE} ${ARABIC_WORD}(?: ال${ARABIC_WORD}| ${ARABIC_WORD}(?= |$))?|${ARABIC_WORD}(?: (?:في|مقابل|جنب|خلف|قدام|امام|
      ورا) ${ARABIC_WORD}(?: ال${ARABIC_WORD})?)?))
    `,
  },
  {
    kind: 'Ethnic or Tribal Origin',
    gate: /descent|ancestry|heritage|ethnicity|extraction|origin|background|stock|blood/,
    pattern: pattern('g')`
      (?<![a-z])(?:am|is|are|was|he['’]s|she['’]s|i['’]m|who['’]s|man|woman|family) (?<said>of (?:(?:mixed|part) )?(?!(?:the|our|
      data) )${WORD}(?: ${WORD})? (?:descent|ancestry|heritage|ethnicity|extraction|origin|origins|background|stock|blood))(?![a-z])
    `,
  },
  {
    kind: 'Criminal Record',
    gate: /jail|prison|custody/,
    pattern: new RegExp(
      `(?<![a-z])(?<said>(?:spent|spending|served|serving|did|got|does) (?:${WORD} ){1,4}(?:in|of) (?:jail|prison|custody))(?![a-z])`,
      'g',
    ),
  },
  {
    kind: 'Criminal Record',
    gate: /موقوف|محبوس|مسجون|متورط|متهم|مدان|محكوم/,
    pattern: pattern('g')`
      (?<![\u0620-\u064a])(?<said>(?:موقوف|محبوس|مسجون|متورط|متهم|مدان|محكوم)(?:ه|ين)? (?:في |علي ذمه |بسبب |عند |لدي |ب)?(?:ال)?(?:شرطه|
      مباحث|توقيف|سجن|مركز شرطه|قسم شرطه|نيابه|قضيه|قضايا|تهمه|جريمه|سرقه|تزوير|احتيال|نصب|رشوه|مخدرات|شيك|شيكات|اختلاس|ابتزاز|
      مضاربه)(?: ${ARABIC_WORD})?)
    `,
  },
  {
    kind: 'Criminal Record',
    gate: /years?|months?|weeks?|days?/,
    pattern: pattern('g')`
      (?<![a-z])(?<said>(?:spent|served|did|got|doing|serving|facing|faces|given|done) (?:${WORD} |[0-9]{1,2} ){0,3}(?:years?|months?|
      weeks?|days?) (?:for|over|on) ${CRIMES})(?![a-z])
    `,
  },
  {
    kind: 'Criminal Record',
    gate: /تهم|ادان/,
    pattern: pattern('g')`
      (?<![\u0620-\u064a])(?<said>(?:و|ف)?(?:اتهموني|اتهموه|اتهموها|اتهمني|اتهمته|اتهمتها|اتهمتني|اتهموا|متهمينه|متهمينها|متهميني|يتهموني|
      يتهمونه|يتهمني|ادانته|ادانتها|ادانتني|ادانت)(?: ${ARABIC_WORD}){0,2} ب${ARABIC_WORD})
    `,
  },
  {
    kind: 'Parentage',
    gate: /باب|مدخل|امام/,
    pattern: pattern('g')`
      (?<![\u0620-\u064a])(?<said>(?:وجدوها?|وجدناه|لقوه|لقوها|لقيناه|لقيناها|لقيته|عثر علي(?:ه|ها)|عثروا علي(?:ه|ها)|وجدت|وجد|متروكه?|
      انترك|تركوها?|انلقي)(?: وهو| وهي)?(?: (?:رضيع|طفل|مولود)[\u0620-\u064a]{0,3})? (?:عند|امام|قدام|علي|في) (?:باب|ابواب|
      مدخل) ${ARABIC_WORD})
    `,
  },
  {
    kind: 'Religion or Belief',
    gate: /ديانه|مذهب|طايفه|religion|sect|faith|denomination/,
    pattern: pattern('g')`
      (?<![a-z\u0620-\u064a])(?:الديانه|المذهب|الطايفه|المعتقد|ديانته|ديانتها|مذهبه|مذهبها|religion|sect|faith|
      denomination) ?[:=-] ?(?<said>${WORD}|${ARABIC_WORD})
    `,
  },
  {
    kind: 'Credit Data',
    gate: /default|behind|missed|late on/,
    pattern: pattern('g')`
      (?<![a-z])(?<said>(?:defaulted on|default on|(?:fell |is |am |are |was |been |months? |weeks? )behind on|(?:am|is|was|been) late on|
      missed(?= (?:my|his|her|their|our|a|one|two|three|four|several|some|[0-9]) ?)) (?:${WORD} |[0-9]{1,2} ){0,4}?(?:loans?|mortgage|
      payments?|instalments?|installments?|financing|lease|debts?|credit card)(?: (?:payments?|instalments?|
      installments?))?)(?![a-z]| (?:deadline|page|screen|option))
    `,
  },
  {
    kind: 'Credit Data',
    gate: /تعثر|متعثر|متاخر|تاخر|عاجز|عجز/,
    pattern: pattern('g')`
      (?<![\u0620-\u064a])(?<said>(?:تعثرت?|متعثره?|متاخره?|تاخرت|عاجزه?|عجزت?) (?:في |عن |ب)?(?:(?:سداد|دفع) (?:ال)?بطاقه|(?:سداد |
      دفع )?(?:ال)?(?:قرض|قروض|قسط|اقساط|تمويل|مديونيه))(?:ي|ه|ها)?(?: ال${ARABIC_WORD})?)(?![\u0620-\u064a])
    `,
  },
  {
    kind: 'Criminal Record',
    person: true,
    gate: pattern()`
      accus|suspect|acquit|convict|guilty|charged|prosecut|fined|arrest|tried|indicted|caught|detained|sentenc|jailed|deported|wanted|
      investigat|question|cleared|blamed|imprison|warrant|locked
    `,
    pattern: pattern('g')`
      (?<![a-z])(?<said>(?:accused|suspected|acquitted|convicted|guilty|charged|prosecuted|fined|arrested|arrest|arrests|tried|indicted|
      caught|detained|sentenced|jailed|imprisoned|deported|wanted|investigated|investigation|questioned|cleared|blamed|warrant|
      locked up) (?:of|for|with|on|over|in) (?:${WORD} ){0,3}?${CRIMES})(?![a-z])
    `,
  },
  {
    kind: 'Criminal Record',
    person: true,
    gate: /charge|convict|case|trial|allegation|sentence|offen[cs]e|arrest|jail|prison|time|record/,
    pattern: pattern('g')`
      (?<![a-z])(?<said>(?:(?:facing|faces|faced|has|have|had|got) (?:an? |his |her )?)?${CRIMES} (?:charges?|convictions?|case|trial|
      allegations?|sentence|offen[cs]es?|arrest)|(?:criminal record|police record|prison|jail|served time|time served|did time|locked up|
      put away) (?:for|over|on) (?:${WORD} ){0,2}?${CRIMES})(?![a-z])
    `,
  },
  {
    kind: 'Criminal Record',
    person: true,
    gate: /sentence|cell|lockup|term|arrest|warrant|handcuff|list/,
    pattern: pattern('g')`
      (?<![a-z])(?<said>(?:serving|served|given|received|facing|finished|completed) (?:an? |his |her |
      my )?(?:[a-z-]{3,10} ){1,4}(?:sentence|jail term|prison term)|(?:spent|spending) (?:${WORD} ){1,4}(?:cell|lockup)|(?:prior|previous|
      past|two|three|several|multiple) arrests?|(?:a|an outstanding|an active|a bench|an open) warrant(?! officer)|(?:was |were |got |
      been )?handcuffed|(?:terror|terrorist|terrorism|no-fly|sanctions|wanted) list)(?![a-z])
    `,
  },
  {
    kind: 'Criminal Record',
    gate: CRIME_AR,
    pattern: pattern('g')`
      (?<![\u0620-\u064a])(?<said>[وف]?(?:[ايتن]تهم(?:وا|ت|ني|ه|ها|هم|نا|وني|وه|وها)?|متهم(?:ه|ين|ينه|ينها|يني)?|ادين(?:ت|وا)?|ادانت?(?:ه|
      ها|ني)?|تهمت(?:ه|ها|ي)|تهمه) (?:${ARABIC_WORD} ){0,2}?(?:ب|في |هي )?(?:ال)?${CRIMES_AR}(?: ال${ARABIC_WORD})?)
    `,
  },
  {
    kind: 'Criminal Record',
    gate: CRIME_AR,
    pattern: pattern('g')`
      (?<![\u0620-\u064a])(?<said>(?:انسجن|انسجنت|سجن|سجنوه|سجنوني|مسجون|انحبس|حبسوه|محبوس|حكموا علي(?:ه|ها|نا)?|حكم علي(?:ه|ها)|
      القبض علي(?:ه|ها)|قبضوا علي(?:ه|ها)|انقبض علي(?:ه|ها)|اوقفوه|توقف|موقوف|موقوفه|مسكوه|مسكوها|انمسك|ادين|ادينت|مطلوب|مطلوبه|محكوم|
      محكومه) (?:في |ب|بسبب |بتهمه |بجريمه |علي ذمه |في قضيه |بقضيه )(?:ال)?${CRIMES_AR}(?: (?:ال)?(?:اموال|سلاح|مخدرات|امانه|تجاري|
      معلوماتيه|بدون رصيد|الكترونيه|اسري))?)(?![\u0620-\u064a])
    `,
  },
  {
    kind: 'Criminal Record',
    person: true,
    gate: CRIME_AR,
    pattern: pattern('g')`
      (?<![\u0620-\u064a])(?<said>(?:قضيه|قضيته|قضيتها|قضيتي|قضايا|جريمه|جرايم|سابقه|سوابق|محكوميه|التحقيق معه في|تحقيق في) (?:في |
      ب)?(?:ال)?${CRIMES_AR}(?: (?:اموال|سلاح|امانه|تجاري|معلوماتيه|بدون رصيد|الكترونيه|اسري|ال${ARABIC_WORD}))?)
    `,
  },
  {
    kind: 'Parentage',
    gate: /left|found|abandoned|dumped|born to|never/,
    pattern: pattern('g')`
        (?<![a-z])(?<said>(?:left|found|abandoned|dumped) (?:as a (?:baby|newborn) )?(?:outside|at|on|by|near|in front of|
        on the steps of) (?:the |an? )?(?:door of |gate of |steps of |entrance of )?(?:the |an? )?(?:mosque|hospital|orphanage|street|
        doorstep|police station|church|clinic|shelter)(?: as an? (?:baby|newborn|infant|child)| when (?:he|she|i) was (?:an? )?(?:baby|
        newborn|infant|born))|(?:left|found|abandoned|dumped) (?:at|outside|in front of|on|near|by) (?:the |an? )?(?:hospital|mosque|
        orphanage|police station|clinic|church|shelter)(?:['’]s)? (?:gate|door|doors|steps|entrance)|born to (?:unmarried|unknown|
        unidentified) (?:parents|mother|father)|(?:father|mother|parents|family) (?:was|were) never (?:identified|found|known|named|
        traced))(?![a-z])
      `,
  },
  {
    kind: 'Parentage',
    gate: /معروف|نعرف|اعرف|يعرف|مجهول/,
    pattern: pattern('g')`
        (?<![\u0620-\u064a])(?<said>(?:ما له|ما لها|ماله|مالها|بدون|بلا) (?:اهل|اب|ام|والدين|ابوين|نسب) معروف(?:ين|ه)?|(?:ابوه|ابوها|امه|
        امها|والده|والدها|والدته|والدتها|اهله|اهلها|نسبه|نسبها) (?:ما هو|ما هي|ما هم|مو|مهو|مب|غير|ليس|ليسوا) (?:معروف|معلوم)(?:ه|ين)?|
        ما (?:نعرف|اعرف|يعرف|تعرف|ينعرف|تنعرف|يعرفون|احد يعرف) (?:مين |من هو |من هي )?(?:ابوه|ابوها|امه|امها|اهله|اهلها|والديه|والديها|ابوي|
        امي|اهلي|والدي))(?![\u0620-\u064a])
      `,
  },
  {
    kind: 'Religion or Belief',
    gate: /صار|اصبح|تحول|تحولت/,
    pattern: pattern('g')`
        (?<![\u0620-\u064a])(?<said>(?:صار|صارت|اصبح|اصبحت|تحول الي|تحولت الي) (?:ال)?(?:مسيحي|مسيحيه|نصراني|نصرانيه|مسلم|مسلمه|يهودي|
        يهوديه|هندوسي|هندوسيه|بوذي|بوذيه|ملحد|ملحده|شيعي|شيعيه|سني|سنيه|درزي|درزيه|اسلام|مسيحيه|يهوديه|بوذيه|كاثوليكي|بروتستانتي|شيوعي|
        ليبرالي|علماني|متطرف|سلفي|صوفي|اسماعيلي|سيخي|لا ديني))(?![\u0620-\u064a])
      `,
  },
  {
    kind: 'Religion or Belief',
    gate: /عتنق|اسلم|اشهر/,
    pattern: pattern('g')`
      (?<![\u0620-\u064a])(?<said>(?:اعتنق|اعتنقت|يعتنق|تعتنق|اشهر|اشهرت) (?:${ARABIC_WORD} ){0,2}?(?:ال)?(?:اسلام|مسيحيه|يهوديه|بوذيه|
      هندوسيه|مذهب|اسلامه|اسلامها|نصرانيه)(?: ال${ARABIC_WORD})?)(?![\u0620-\u064a])
    `,
  },
  {
    kind: 'Ethnic or Tribal Origin',
    gate: /قبيل|قبايل|عشير|اصول|اصل|عرق/,
    pattern: pattern('g')`
      (?<![\u0620-\u064a])(?:ينتمي|تنتمي|ينحدر|تنحدر|ينتسب|تنتسب) (?:${ARABIC_WORD} ){0,3}?(?:الي |من )?(?<said>ل?(?:قبيله|قبايل|عشيره|اصول|
      اصل|عرق) ${ARABIC_WORD}(?: ال${ARABIC_WORD})?)(?![\u0620-\u064a])
    `,
  },
  {
    kind: 'Credit Data',
    gate: /سداد|دفع/,
    pattern: pattern('g')`
      (?<![\u0620-\u064a])(?<said>(?:تعثر|تعثرت|تاخر|تاخرت|عجز|عجزت|تخلف|تخلفت|امتنع|امتنعت|متوقف|توقف|
      توقفت) (?:${ARABIC_WORD} ){0,2}?(?:في|عن) (?:ال)?(?:سداد|دفع) (?:${ARABIC_WORD} ){0,2}?(?:ال)?(?:قسط|اقساط|قرض|قروض|تمويل|مديونيه|
      دفعات)(?:ه|ها|ي)?)(?![\u0620-\u064a])
    `,
  },
  {
    kind: 'Ethnic or Tribal Origin',
    gate: / الاصل| الاصول| العرق/,
    pattern: new RegExp(
      `(?<![\\u0620-\\u064a])(?<said>${ARABIC_WORD}(?:ي|يه) (?:الاصل|الاصول|العرق))(?![\\u0620-\\u064a])`,
      'g',
    ),
  },
  {
    kind: 'Ethnic or Tribal Origin',
    person: true,
    gate: /ethnic|roots|half|part |blood|descent/,
    pattern: pattern('g')`
      (?<![a-z])(?<said>ethnically (?!diverse|mixed|neutral)${WORD}|(?:my|his|her|their|our) (?:family |tribal |
      ethnic )?roots are (?:in )?${WORD}|(?:am|is|are|['’]m|['’]s|['’]re) (?:half|part)[ -](?!of|time|way|price|day)(?:[a-z]{3,12}(?:an|ian|
      ish|ese|i|ic|een|d)))(?![a-z])
    `,
  },
];
