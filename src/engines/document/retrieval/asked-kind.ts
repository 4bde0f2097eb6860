import { pattern } from '../../../language/pattern.ts';
import type { AnswerKind } from './answer-kinds.ts';

/** Wordings of questions for each kind of answer; the first that fits decides. Folded text. */
const PERSONS = pattern()`
  \b(?:wife|husband|mother|father|son|daughter|brother|sister|nurse|captain|king|queen|architect|owner|founder|director|president|manager|
  teacher|assistant|bishop|archbishop|commander|engineer|builder|author|poet|explorer)\b|زوج|والد|(?:^| )(?:ال)?(?:ام|اب|ابن|ابنه|اخ|
  اخت)(?:ه|ها)?(?: |$)|ممرض|قائد|مهندس|مدير|رييس|معلم|طبيب|شاعر|كاتب|مولف|مخترع|مكتشف|مصمم|صاحب|باني|بطل|ربان|قبطان|عالم
`;
const NAME_ASKED = pattern()`
  \bwhat (?:is|was|were|are) (?:the )?(?:\w+ ){0,2}names? of\b|\bwhat (?:is|was) (?:\S+ ){1,4}name\b|\bwhat (?:is|was|are|
  were) .{2,60} (?:called|named|known as)\b|\bwhat name\b|^(?:ما|وش|ايش|ماهو) (?:هو )?(?:اسم|اسماء|لقب|كنيه)(?: |$)|^(?:باي اسم|بماذا|
  بم) (?:اشتهر|عرف|لقب|سمي|يعرف|يسمي|كان يعرف)|^ماذا (?:كان |كانت )?(?:ت|ي)?سم(?:ي|ون|يه)
`;

const KINDS: readonly (readonly [RegExp, AnswerKind])[] = [
  [/\b(?:e mail|email)\b|ايميل|بريد(?:كم|ه|ها)? (?:ال)?الكتروني|البريد الالكتروني/, 'email'],
  [
    /\b(?:web ?site|url|web page|link to the|the link)\b(?! between)|(?:ال)?موقع(?:كم|ه|ها)? (?:ال)?الكتروني|رابط/,
    'url',
  ],
  [
    pattern()`
      \b(?:phone|telephone|mobile|fax|whatsapp|hotline|contact) (?:number|no)\b|\b(?:what|which) number (?:do|can|should|to)\b|
      رقم (?:ال)?(?:هاتف|جوال|تلفون|اتصال|واتس|فاكس|تواصل|طوار|موحد|مجاني)|(?:ال)?رقم (?:ال)?موحد
    `,
    'phone',
  ],
  [
    pattern()`
      ^(?:who|whom|whose)\b|\bby whom\b|\b(?:to|with|from|for) who(?:m)?\b|^(?:من|مين|منو|منهو)(?: هو| هي| هم)? (?!اين|متي|وين|اي |خلال|حيث|
      ضمن|بين)|^(?:ل|ب)?من (?:يجب|يتم|يمكن|يحق)
    `,
    'person',
  ],
  [
    pattern()`
      ^(?:و)?كم (?:عدد )?(?:ال)?ساع(?:ه|ات) |^كم .*لساعات|^how (?:soon|early|late)\b|^قبل كم|^how old\b|كم (?:كان |كانت |يبلغ |
      بلغ )?(?:ال)?(?:عمر|سن)(?:ه|ها|ي|ك)?(?: |$)|\b(?:average |normal |maximum )?(?:lifespan|life expectancy|gestation period|
      incubation period)\b|متوسط (?:ال)?عمر
    `,
    'duration',
  ],
  [
    pattern()`
      ^(?:at |by |from |until )?what (?:time|hours?)\b|\b(?:opening|working|office|business|visiting|closing|service|support) (?:hours|
      times?)\b|\bwhen (?:do|does|are|is)\b.*\b(?:open|close|closed)(?=$| (?:on|in|at|for|during|its|to|today)\b)|(?:في )?(?:اي|
      كم) (?:ال)?ساعه (?:ي|ت|ن)|الساعه كم|متي (?:ي|ت|ن)?(?:فتح|غلق|قفل|سكر|داوم)|(?:ما هي |ماهي )?(?:اوقات|ساعات|مواعيد) (?:ال)?(?:عمل|دوام|
      زياره|استقبال)
    `,
    'clock',
  ],
  [
    pattern()`
      \bhow (?:long|many (?:consecutive |working |business |calendar |paid |extra |full )?(?:days|weeks|months|years|hours|minutes))\b|
      \b(?:duration|notice period|how much (?:time|notice))\b|كم (?:ال)?(?:مده|فتره|يوم|ايام|شهر|اسبوع|سنه|ساعه|دقيقه|عام|وقت)|(?:ما|ماهي|
      ما هي|وش|ايش) (?:هي )?(?:ال)?(?:مده|فتره|مهله)|^(?:الي|خلال) متي
    `,
    'duration',
  ],
  [
    pattern()`
      \b(?:what|which) percent(?:age)?\b|\bpercentage\b|\bwhat (?:share|proportion|fraction)\b|كم (?:ال)?نسبه|نسبه (?:ال)?(?:خصم|ربح|تغطيه|
      تحمل|زياده)|(?:ما|ماهي|وش|كم) (?:هي )?(?:ال)?نسبه
    `,
    'percent',
  ],
  [
    pattern()`
      \bhow much (?:is|are|was|were|does|do|did|will|would|should|must|can|money|to)\b(?!.*\b(?:weigh|water|time|space|luggage|baggage)\b)|
      \b(?:what|how much)\b.*\b(?:cost|price|fee|fees|charge|salary|rent|deposit|fine|penalty|fare|tuition|amount|budget|revenue|capital)\b|
      كم (?:(?:ت|ي)?بلغت? |كان(?:ت)? )?(?:ال)?(?:سعر(?!(?:ه|ات) حراري)|تكلفه|رسوم|قيمه|ثمن|مبلغ|راتب|ايجار|غرامه|تكلف|ادفع|اجره|تامين)|
      بكم (?!(?:ا|ت|ي)?(?:نخفض|رتفع|زيد|زاد|نقص|قل|تقلص|تراجع))|بكم$|(?:ما|ماهي|وش|ايش|كم) (?:هو |هي )?(?:ال)?(?:سعر(?!(?:ه|ات) حراري)|
      تكلفه|رسوم|قيمه|مبلغ|ثمن|غرامه)|كم (?:يكلف|تكلف|يبلغ (?:ايجار|سعر|راتب|رسوم))
    `,
    'money',
  ],
  [
    pattern()`
      \bhow (?:many|much|old|far|tall|high|big|large|fast|deep|wide|often|heavy)\b|\bwhat (?:is|was) the (?:maximum|minimum|highest|lowest|
      most|least)\b|\bwhat (?:is|was) the (?:total )?(?:number|population|size|age|height|weight|speed|distance|length|area|capacity)\b|
      ^(?:كم|وكم|بكم)\b|^كم |(?: |^)كم (?:عدد|مره|مرات|طالب|شخص)|(?:ما|ماهو|وش) (?:هو )?(?:عدد|عمر|ارتفاع|طول|مساحه|وزن|الحد)
    `,
    'number',
  ],
  [
    pattern()`
      ^when\b|\bdeadline\b|\b(?:what|which) (?:year|date|day|month|century|days|decade)\b|\bsince when\b|\buntil when\b|^(?:منذ |حتي |الي |
      من )?متي|(?:في )?اي (?:عام|سنه|يوم|تاريخ|شهر|قرن)|(?:ما|ماهو|وش) (?:هو )?(?:ال)?(?:تاريخ|موعد)
    `,
    'date',
  ],
  [
    pattern()`
      ^(?:to |from |in |at )?where\b|\b(?:what|which) (?:city|country|place|town|region|state|address|location|street|building|floor|room|
      branch|continent|river)\b|\bwhat is the (?:address|location)\b|^(?:من |الي |في )?(?:اين|وين|فين)|(?:في )?اي (?:مدينه|دوله|بلد|مكان|
      منطقه|حي|شارع|طابق|دور|فرع|قاره)|(?:ما|ماهو|وش) (?:هو )?(?:ال)?(?:عنوان|موقع)
    `,
    'place',
  ],
  [/^why\b|\bwhat (?:is|was) the reason\b|^(?:لماذا|ليش|ليه|لم )|(?:ما|ماهو|وش) (?:هو )?(?:ال)?سبب/, 'reason'],
  [
    /^(?:is|are|was|were|do|does|did|can|could|may|must|will|would|should|has|have|had|am)\b|^(?:هل|وهل|فهل|ممكن|يجوز|اقدر|يمكنني|مسموح|يحق) /,
    'yesno',
  ],
];

/** What kind of thing a folded question asks for. */
export function kindOf(folded: string): AnswerKind {
  const start = folded.replace(/^(?:and|so|but|ok|okay|طيب|و) /, '');
  const yesno = KINDS.at(-1)!;
  if (yesno[0].test(start)) return 'yesno';
  const kind = KINDS.find(([pattern]) => pattern.test(start))?.[1] ?? 'other';
  if (kind !== 'other' || !NAME_ASKED.test(start)) return kind;
  return PERSONS.test(start) ? 'person' : 'name';
}
