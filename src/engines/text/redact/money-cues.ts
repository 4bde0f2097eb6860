import { partOf, pattern } from '../../../language/pattern.ts';
import type { Kind } from './kinds.ts';

/** What stands left and right of an amount that is somebody's. `left` ends where the amount begins, `right` begins where it ends. */
export interface MoneyCue {
  readonly kind: Kind;
  /** Without this in the whole text the cue is not tried. */
  readonly gate: RegExp;
  readonly left?: RegExp;
  readonly right?: RegExp;
  /** What must not stand left of it. */
  readonly not?: RegExp;
}

const AR = '(?:[\\u0620-\\u064a]{1,12} )';
const EVERY = partOf`
  (?:(?:a|per|every|each|/) ?(?:month|year|annum|week)|monthly|annually|yearly|p\.?m\.?\b|net\b|gross\b|basic\b|plus (?:commission|
  allowances?|housing|benefits)|before (?:tax|the raise|deductions)|after (?:gosi|deductions|tax)|as an? [a-z]{4,14}|from (?:my|his|
  her) (?:job|work|pension|employer|company)|in (?:salary|wages))
`;
const EVERY_AR = partOf`
  (?:كل شهر|شهريا|بالشهر|في الشهر|للشهر|سنويا|بالسنه|في السنه|اسبوعيا|راتب|كراتب|اجر|من الدوام|من الشغل|من الوظيفه|من عملي|من التقاعد|
  من الشركه|من الضمان|من التامينات|من حساب المواطن|من حافز|قبل الزياده|بعد الزياده|بعد الخصم|قبل الخصم|صافي|بدون بدلات|مع البدلات|
  شامل البدلات|اساسي|في الشركه|وانا مدير|وهو مدير)
`;
/** Whose account, as possessives and people. */
const MY_ACCOUNT = partOf`
  (?:my|his|her|their|our|(?:my|his|her|our) (?:late )?[a-z]{3,9}(?:'s|’s)|the (?:customer|client|patient|deceased|account holder)(?:'s|
  ’s)?|your|mom's|dad's|mother's|father's|wife's|husband's|son's|daughter's) (?:[a-z]{2,12} ){0,2}(?:account|accounts|portfolio|wallet|
  savings|card|balance|fund|deposit|e-wallet|iban)
`;
const MY_ACCOUNT_AR = partOf`
  (?:حسابي|حسابه|حسابها|حسابنا|حسابك|محفظتي|محفظته|محفظتها|محفظتك|بطاقتي|بطاقته|بطاقتها|بطاقتك|رصيدي|رصيده|رصيدها|رصيدك|(?:حساب|محفظه|
  رصيد|وديعه|مدخرات) (?:العميل|العميله|المتوفي|الوالد|الوالده|والدي|والدتي|زوجتي|زوجي|ابوي|امي|ابني|ولدي|بنتي|اخوي|اختي|التوفير|الادخار|
  الراتب)[\u0620-\u064a]{0,3})
`;
/** Payments, transfers, fees and offers: what somebody paid is no secret of the account. */
const MOVED = pattern()`
  (?:نقاط|points|miles|جيجا|رسوم|سعر|تكلف|باقه|فاتوره|الحد |حول|سحب|خصم|دفع|سدد|شحن|ودع|يداع|نزل|انضاف|ضيف|استرد|مبلغ العمليه|مشتريات|
  شريت|اشتريت|اخر |ارقام|fee|price|cost|minimum|maximum|limit|offer|discount|compan|charg|debit|deduct|transfer|withdr|paid|pay |refund|
  credited|deposited|put |sent|send|purchase|bought|transaction|last |ending)
`;

export const MONEY_CUES: readonly MoneyCue[] = [
  {
    kind: 'Salary',
    gate: /pay|paid/,
    left: pattern()`
      (?: they| he| she| company| employer| boss| ministry| we|'ll| to| who| which| currently| only) (?:will |used to |now |
      currently )?(?:pay|pays|paid|paying) (?:me|him|her|us|them|my [a-z]{2,10}|our [a-z]{2,10}|the [a-z]{2,10})$
    `,
    not: /(?:compensation|refund|claim|fine)/,
  },
  {
    kind: 'Salary',
    gate: /month|year|annum|week|monthly|annual|net|gross|plus|basic|after|before|from|as an? |p\.?m/,
    left: pattern()`
      (?:^| )(?:i|he|she|we|they|who|(?:my|his|her|our) [a-z]{3,9}|i'm|i’m|he's|he’s|she's|she’s|we're|i'll|m|s) (?:is |am |was |are |
      used to |will |would |currently |now |usually |still |only ){0,3}(?:on|get|gets|getting|got|receive|receives|received|receiving|make|
      makes|made|making|take|takes|took|draw|draws|bring home|brings home|take home|takes home|bring in|earn|earns|earned|earning|collect|
      collects|clear|clears|net|nets|gross|paid)$
    `,
    right: new RegExp(`^ ?,? ?${EVERY}`),
  },
  {
    kind: 'Salary',
    gate: /offer|give|gave|raise|contract|hired/,
    left: /(?:offer(?:ed|ing|s)?|gave|gives|give|giving|hired|hiring|promised|promising)(?: [a-z]{2,10}){1,3}$/,
    right: new RegExp(
      `^ ?,? ?(?:${EVERY}|(?:to join|for the (?:job|position|role)|as (?:a )?(?:salary|monthly)|at the new|in the new|salary))`,
    ),
  },
  {
    kind: 'Salary',
    gate: /ctc|package|basic|base|gross|net|take|pay|commission|bonus|overtime|stipend|pension|raise|alimony|allowance|increment|gratuity|child support/,
    left: pattern()`
      (?:^| )(?:my|his|her|their|current|expected|annual|monthly|yearly|total|last) (?:[a-z]{3,10} ){0,2}(?:ctc|package|basic|base|gross|
      net|take-home|take home|pay|commissions?|bonus|overtime|stipend|pension|raise|alimony|allowance|increment|gratuity|tips|
      salary expectation|child support)(?: (?:pay|package|is|was|of|comes to|came to|amounts to|at|for|last|this|year|month|now|currently|
      totals|to|around)){0,5}:?$
    `,
  },
  {
    kind: 'Salary',
    gate: /net|gross|basic|housing|transport/,
    left: pattern()`
      (?:^| )(?:my|his|her|their) (?:[a-z]{3,8} )?(?:gross|net|basic|base|salary|pay)[^.]{0,40}(?:and|but|plus|with|,) (?:the |my |his |
      her )?(?:net|gross|basic|housing|transport|allowances?)(?: is| of| was)?$
    `,
  },
  {
    kind: 'Salary',
    gate: /ctc|salary|package/,
    left: pattern()`
      (?:^| )(?:ctc|salary|package|pay) [^.]{0,40}(?:expected|expecting|asking for|asking|want|wants|now|raised to|increased to|went up to|
      dropped to|cut to|from|to)$
    `,
  },
  {
    kind: 'Salary',
    gate: /(?:earning|making|getting|earned|raise)/,
    left: /(?:^| )(?:was|were|am|is|been|'m|'s|m|s) (?:only |now |already )?(?:earning|making)$/,
  },
  {
    kind: 'Salary',
    gate: /تعطي|يعطي|شتغل|ينزل|يدخل|يجيني|يوصلني|يصرف|يعطون|يدفع|استلم|يستلم|تستلم|اخذ|ياخذ|تاخذ|اقبض|يقبض|تقبض|تقاضا|تقاضي|اكسب|يكسب|تكسب|اطلع|يطلع|تطلع/,
    left: pattern()`
      (?:^| )(?:و|ف)?(?:ينزل|تنزل|ينزلون|تعطيني|يعطيني|اشتغل ب|اشتغل|يشتغل ب|يدخل|يدخلني|يدخل علي|يجيني|يجيه|يوصلني|يصرفون|يصرف|يعطوني|
      يعطونه|يعطونها|يعطون|يدفعون|يدفعوا|استلم|يستلم|تستلم|اخذ|ياخذ|تاخذ|ناخذ|اقبض|يقبض|تقبض|اتقاضي|يتقاضي|تتقاضي|اكسب|يكسب|تكسب|اطلع|يطلع|
      تطلع|كان ياخذ)(?: (?:لي|لنا|له|لها|علي|عليه|عليها|حسابي|الشهر|شهريا|كل شهر|في الشهر|بالشهر|راتب|راتبا)){0,2}$
    `,
    right: new RegExp(`^ ?,? ?(?:${AR})?${EVERY_AR}`),
  },
  {
    kind: 'Salary',
    gate: /تقاضا|كنت|اقبض|يقبض|يتقاضي|اتقاضي|تتقاضي|عقد|عرض|علاو|مكاف|بونص|عمول|نفق|معاش|تقاعد|بدل|الحين|دخل|اجر/,
    left: pattern()`
      (?:^| )(?:و|ف|ب|ل)?(?:(?:يتقاضاه|اتقاضاه|تتقاضاه|يقبضه|اقبضه)(?: ${AR.slice(3, -2)}){0,3}|كنت (?:اخذ|استلم|اقبض)|كان (?:ياخذ|يستلم|
      يقبض)|كانت (?:تاخذ|تستلم|تقبض)|(?:اقبض|يقبض|تقبض|اتقاضي|يتقاضي|تتقاضي)(?: (?:شهريا|كل شهر|راتبا?))?|(?:عقدي|عقده|عقدها|عمولتي|عمولته|
      مكافاتي|مكافاته|مكافاتها|علاوتي|علاوته|بونصي|نفقتي|نفقه (?:اولادي|عيالي|البنت|الولد)|معاشي|معاشه|معاشها|تقاعدي|تقاعده|تقاعدها|اجره|
      اجرها|اجري|دخلنا|دخلهم|اجرته|اجرتي|اجرتها|مرتبي|مرتبه|مرتبها|بدلاتي|بدلاته|مدخولي|مدخوله|دخل (?:الاسره|الموظف|العميل|العميله|زوجي|
      زوجتي))(?: (?:الاسبوعي|الشهري|السنوي|الشهريه|السنويه|هذا الشهر|هو|هي|كان|كانت|يساوي|صار|صارت|الاساسي|الصافي|من الشركه|حاليا|الحالي|
      الحاليه|وصل|وصلت|يوصل|علي|ب)){0,3})$
    `,
  },
  {
    kind: 'Salary',
    gate: /قبل الزياده|بعد الزياده|والحين|وصرت/,
    left: /(?:الزياده|الترقيه|اخذ|استلم|اقبض|راتبي|راتبه|راتبها)[^.]{0,30}(?:والحين|وصرت|وصار|وصارت|صار|الي|واليوم|وبعدها)(?: (?:اخذ|استلم|اقبض))?$/,
  },
  {
    kind: 'Salary',
    gate: /كراتب|راتب شهري/,
    right: /^ ?(?:كراتب|راتب شهري|راتب اساسي|راتب صافي)/,
    not: /(?:متوسط|الحد |يبدا|تبدا|وظيفه|وظايف)/,
  },
  {
    kind: 'Salary',
    gate: /عرضوا|عرضت|عرض/,
    left: /(?:عرضوا|عرضت|يعرضون|عرض)(?: [\u0620-\u064a]{2,8}){0,1} (?:علي|عليه|عليها|لي|له|لها)(?: راتب| مبلغ)?$/,
    right:
      /^ ?(?:[\u0620-\u064a]{1,10} )?(?:في الشركه|شهريا|راتب|كراتب|للوظيفه|في الشهر|بالشهر|بدون بدلات|شامل|مع بدل|مع السكن|للانتقال|عشان انتقل)/,
  },
  {
    kind: 'Financial Data',
    gate: /حساب|محفظ|رصيد/,
    left: new RegExp(`(?:^| )(?:و|ف)?(?:في|فيه|ب|داخل|عندي في)? ?ب?${MY_ACCOUNT_AR}(?: [\\u0620-\\u064a]{1,12}){0,3}$`),
    not: MOVED,
  },
  {
    kind: 'Financial Data',
    gate: /حساب|محفظ|رصيد/,
    right: new RegExp(`^ ?(?:[\\u0620-\\u064a]{1,12} ){0,2}?(?:في|داخل) ${MY_ACCOUNT_AR}(?![\\u0620-\\u064a])`),
    not: MOVED,
  },
  {
    kind: 'Financial Data',
    gate: /ستثمر|دخر|وديع|مدخر|ورث|محفظ|سهم|اسهمي|وفرت|جمعت|تحويش/,
    left: pattern()`
      (?:^| )(?:و|ف)?(?:ادخرت|مدخر|مدخراتي|مدخراته|وديعه|وديعتي|وديعته|وديعتها|ورثت|ورثي|نصيبي|ميراثي|حصتي من الورث|محفظتي|محفظته|محفظتها|
      اسهمي|اسهمه|تحويشتي|تحويشه العمر|استثماراتي|استثماراته|مستثمر)(?: [\u0620-\u064a]{1,12}){0,4}$
    `,
    not: MOVED,
  },
  {
    kind: 'Financial Data',
    gate: /account|portfolio|wallet|savings|balance|fund|deposit/,
    right: new RegExp(`^ ?(?:[a-z]{2,10} ){0,2}?in ${MY_ACCOUNT}(?![a-z])`),
    not: MOVED,
  },
  {
    kind: 'Financial Data',
    gate: /savings|deposit|portfolio|wallet|investment|net worth|account|shares|stocks|inheritance|balance/,
    left: pattern()`
      (?:^| )(?:my|his|her|their|our|your|the customer's|the client's) (?:[a-z]{3,12} ){0,2}(?:savings|deposits?|portfolio|wallet|
      investments?|net worth|account|shares|stocks|inheritance|balance|nest egg)(?: [a-z']{1,12}){0,4}$
    `,
    not: MOVED,
  },
  {
    kind: 'Financial Data',
    gate: /deposit|savings|stocks|shares|investment|bonds|crypto|gold/,
    left: /(?:^| )(?:i|we|he|she|they|who|client|customer|husband|wife|father|mother) (?:[a-z']{2,9} )?(?:have|has|had|keep|keeps|kept|got|hold|holds)$/,
    right: pattern()`
        ^ ?(?:[a-z]{2,8} ){0,2}?in (?:a |an |my |our |his |her |fixed |term |time |savings |bank )*(?:deposits?|savings|stocks|shares|
        investments?|bonds|crypto|gold|mutual funds?|certificates?)
      `,
  },
  {
    kind: 'Financial Data',
    gate: /رصيد|حساب/,
    left: /(?:رصيد|حساب)[^.]{0,40}(?:في|ب)?(?:الجاري|الادخار|التوفير|الاستثماري|الادخاري)(?: فيه)?$/,
    not: MOVED,
  },
  {
    kind: 'Financial Data',
    gate: /حساب|محفظ|وديع|اسهم/,
    left: /(?:^| )و?(?:عنده|عندها|عندي|له|لها|لي|باسمه|باسمها) (?:حساب|محفظه|وديعه|اسهم)(?: [\u0620-\u064a]{2,10}){0,3} (?:فيه|فيها|بقيمه|قيمتها|قيمته)$/,
    not: MOVED,
  },
  {
    kind: 'Financial Data',
    gate: /account/,
    left: /(?:^| )account of (?:the (?:late|deceased) |mr |mrs )[^.]{2,30} (?:holds|has|contains|shows|had|held)$/,
  },
  {
    kind: 'Financial Data',
    gate: /بقيمه|قيمتها|قيمته/,
    left: pattern()`
      (?:^| )و?(?:لدي|عند|للعميله?|باسم|ل) ?(?:ال[\u0620-\u064a]{2,10} )?(?:محفظه|وديعه|حساب|اسهم|استثمار|
      صندوق)(?: [\u0620-\u064a]{2,10}){0,2} (?:بقيمه|قيمتها|قيمته)$
    `,
    not: MOVED,
  },
  {
    kind: 'Financial Data',
    gate: /account/,
    right: /^ ?in (?:a|an|his|her|their) (?:joint|savings|current|deposit|bank|investment|fixed) account/,
    not: MOVED,
  },
  {
    kind: 'Credit Data',
    gate: /loan|debt|mortgage|financing/,
    left: pattern()`
      (?:^| )(?:outstanding|remaining|unpaid|overdue) (?:[a-z]{3,9} )?(?:loan|debt|mortgage|financing|
      instal?lments?)(?: amount| balance| is| of| was)*:?$
    `,
    not: /(?:apply|offer|up to)/,
  },
  {
    kind: 'Financial Data',
    gate: /overdrawn|inherited|inheritance/,
    left: /(?:^| )(?:overdrawn(?: by)?|(?:i|he|she|we|they) (?:just |have |has )?inherited)$/,
  },
  {
    kind: 'Financial Data',
    gate: /instal/,
    left: /(?:^| )(?:debited|deducted|charged|took|paid)[^.]{0,30}instal?lments?(?: of)?$/,
  },
  {
    kind: 'Credit Data',
    gate: /debts? of|loan of|arrears of/,
    left: /(?:^| )(?:i|he|she|they|my|his|her|him|me|we|who|i'm|he's|she's|customer|client|tenant)(?: [^.]{0,52})? (?:debts?|loan|arrears) of$/,
    not: /(?:apply|offer|up to|minimum|maximum)/,
  },
  {
    kind: 'Credit Data',
    gate: /arrears|debt|overdraft|overdue/,
    left: /(?:^| )(?:i|he|she|we|they|who|i'm|he's|she's|we're|they're|am|is|are|have|has|had|with)$/,
    right: /^ ?(?:in|of) (?:arrears|debts?|overdraft|credit card debt|overdue)/,
  },
  {
    kind: 'Credit Data',
    gate: /owe|owing/,
    left: pattern()`
      (?:^| )(?:i|he|she|we|they|who|still|customer|client|tenant|husband|wife|brother|sister|father|mother|son|daughter|uncle|employee|
      also|and|m|s|'m|'s) (?:still |also |already |now |currently )?(?:owe|owes|owed|owing)(?: (?:the|my|his|her|a|an|them|us|you|him|me|it|
      [a-z']{3,12})){0,4}$
    `,
  },
  {
    kind: 'Credit Data',
    gate: /instal|emi|repayment|mortgage|loan|financ|lease|debt|arrears|limit|overdraft|outstanding|dues|late/,
    left: pattern()`
      (?:^| )(?:my|his|her|their|our|your|the (?:customer|client|tenant|borrower)(?:'s|’s)?) (?:[a-z]{3,12} ){0,3}?(?:instal?lments?|emi|
      repayments?|mortgage|loans?|financing|finance|lease|debts?|arrears|credit limit|overdraft|outstanding(?: amount)?|dues|
      overdue(?: amount)?|limit)(?: [a-z]{1,10}){0,5}$
    `,
    not: /(?:minimum|maximum|daily|fee|offer|from)/,
  },
  {
    kind: 'Credit Data',
    gate: /متاخرات|باقي|بقي|متبقي|يتبقي|مديون|مدين|مطلوب من|متاخر|ذمت|حد |حدي|سقف|سلف|قرض|تمويل|تمولت/,
    left: pattern()`
      (?:^| )(?:و|ف)?(?:متاخرات(?: بقيمه| بمبلغ| قدرها)?|(?:باقي|بقي|متبقي|المتبقي|يتبقي|ضل|تبقي) (?:علي|عليه|عليها|لي|منه|منها|من القرض|
      من التمويل|من قرضي|في ذمتي)|مديون|مديونه|مدين|مدينه(?= ل| ب(?:مبلغ|قيمه)|$)|مطلوب مني|مطلوب منه|مطلوب منها|متاخر علي|في ذمتي|في ذمته|
      (?:حد|سقف) (?:بطاقتي|بطاقته|بطاقتها)|حدي|الحد الايتماني (?:حقي|لبطاقتي)|سلفه|سلفت|تسلفت|استلفت|اقترضت|تمولت|اخذت تمويل|اخذت قرض|
      اخذ قرض|ماخذ قرض|ماخذ تمويل|عندي قرض|عندي تمويل|علي قرض|عليه قرض|عليها قرض)(?: [\u0620-\u064a]{1,12}){0,3}$
    `,
  },
  {
    kind: 'Credit Data',
    gate: /علي|عليه|عليها/,
    left: /(?:^| )(?:و|ف)?(?:علي|عليه|عليها|علينا)$/,
    right: pattern()`
        ^ ?(?:[\u0620-\u064a]{1,10} )?(?:من القرض|من قرض|من التمويل|للبنك|للشركه|ل?شركه التمويل|دين|ديون|قرض|متاخرات|مديونيه|من السياره|
        اقساط|قسط|سلفه|من السلفه|متبقيه|باقيه)
      `,
  },
];
