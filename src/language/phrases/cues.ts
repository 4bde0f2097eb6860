import { listsOf } from '../lists.ts';

const list = listsOf('language/phrases/data/cues.tsv');

/**
 * Small words that turn what stands beside them: closed classes of the two languages and of the Saudi dialects, as
 * grammars list them (negation, adversative and causal conjunctions, hesitation), not what callers were heard to wish for.
 * Phrases are parted by `|`; compared folded.
 */

/** Before a wish: it is not to be done. */
export const NEGATIONS =
  'do not|dont|does not|doesnt|did not|didnt|never|not|no need to|without|nobody said|i am not|im not|it is not|' +
  'its not|is not|isnt|was not|nothing is|' +
  'لا|ما|مو|مب|مهب|مهوب|موب|مش|ماني|مانيب|بدون|بدون ما|من غير|من غير ما|بلاش|' +
  'ليس|لست|لم|لن|مش عايز|مش عايزه|مش عاوز|مش عاوزه|ما بدي|ما ودي|ما نبي|ما نبغى|ما اريد|لا اريد|ما ابي|ما ابغى|ما اقصد|لا اقصد';

/** Before a value: another one is meant. A bare `لا` is an answer, and the value after it is the right one. */
export const REFUSALS =
  'not|dont|do not|isnt|is not|its not|cannot|cant|anything but|rather not|instead of|without|' +
  'مو|مب|مهب|مهوب|موب|مش|ماني|ليس|بلا|بدون|ما ابي|ما ابغى|ما اقدر|ما يناسبني|ما تناسبني|ما ينفع|ما ينفعني';

/** After a value: it does not suit. */
export const UNSUITABLE =
  'doesnt suit|does not suit|doesnt work|does not work|wont work|will not work|is no good|isnt good|is not good|' +
  'is impossible|is not possible|isnt possible|' +
  'ما يناسب|ما يناسبني|ما يناسبه|ما يناسبها|ما يناسبنا|ما تناسبني|ما تناسب|ما اقدر|ما ينفع|ما ينفعني|ما يصير|' +
  'زحمه|عندي دوام|عندي شغل';

/** Every beginning with every end. */
function each(beginnings: string, ends: string): string {
  return beginnings
    .split('|')
    .flatMap((beginning) => ends.split('|').map((end) => `${beginning} ${end}`))
    .join('|');
}

/** Before or after a value: nobody has time then, or is there. */
export const ABSENCES = [
  each(
    'im|i am|ill be|i will be|were|we are|well be|we will be',
    'busy|away|out|travelling|traveling|abroad|out of town|not home|not in|not there|not around',
  ),
  each(
    'i wont be|i will not be|we wont be|we will not be|nobodys|nobody is|nobody will be|therell be nobody|there will be nobody|therell be no one|' +
      'there will be no one|no one is|no ones|no one will be|theres nobody|theres no one',
    'home|at home|in|there|around|here',
  ),
  each('بكون|راح اكون|بنكون', 'مشغول|مشغوله|مشغولين|مسافر|مسافره|مسافرين|برا|مو موجود|مو موجوده'),
  each('ماني|ما اكون|ما راح اكون|ما بكون|محد', 'موجود|موجوده|في البيت|بالبيت|هنا'),
  'مشغول|مشغوله|مسافر|مسافره|محد فيه|ما فيه احد|ما في احد|بسافر|بنسافر',
].join('|');

/** Before or behind a day: it is taken. Of a service or a clause away they tell why: `a whitening, I have a wedding`. */
export const ENGAGEMENTS = [
  each(
    'i have|ive got|i ve got|i got|we have|weve got',
    'work|school|college|class|classes|a class|a lecture|lectures|an exam|exams|a meeting|meetings|a shift|guests|a wedding|a funeral|a flight|plans',
  ),
  each(
    'عندي|عندنا|عنده|عندها',
    'دوام|شغل|جامعه|مدرسه|محاضره|محاضرات|كلاس|اختبار|اختبارات|امتحان|امتحانات|اجتماع|اجتماعات|مناوبه|ضيوف|عزيمه|عرس|زواج|عزا|سفر|سفره|رحله|مشوار|ارتباط',
  ),
].join('|');

/** Say what is wished for, in a sentence that may tell much beside it. */
export const WISH_OPENERS =
  'i want|i wanna|i need|i would like|i d like|id like|i just want|i just need|i only want|i only need|can you|could you|can i|could i|' +
  'please|i am calling to|im calling to|i have to|i would rather|' +
  'ابغى|ابغا|ابي|ابا|ودي|اريد|نبي|نبغى|بغيت|عايز|عايزه|عاوز|عاوزه|بدي|ممكن|اقدر|محتاج|محتاجه|حاب|حابه|لازم|ياليت|متصل عشان|داق عشان';

/** The same as a question, of whoever is to do it. */
export const ASKED_OPENERS = each(
  'can|could|would|will',
  'they|he|she|somebody|someone|the driver|your driver|your man',
);

/** Before the value that is wanted, behind another one: of what is asked for, not of who asks. */
export const VALUE_OPENERS =
  'could it|can it|could he|can he|could they|can they|would you|kindly|let it be|lets make it|خليه|خليها|خلوه|خلوها';

/** Before the reason for what was said. */
export const REASONS = 'because|cause|cos|since|لان|لاني|لانه|لانها|لاننا|عشان|علشان|منشان';

/** Beside the name of what is asked for: what is it for, and must it be. */
export const NEEDS_WHY =
  'why|what for|what do you need|what do you want|how come|do you need|do you really need|do i have to|do i need to|must i|is it necessary|' +
  'ليش|ليه|لماذا|لشنو|علام|وش له|عشان ايه|علشان ايه|عشان وش|عشان ايش|وش تبي|وش تبون|وش تبين|وش تبغى|ايش تبغى|عايز ايه|عايزين ايه|' +
  'وش دخل|ايش دخل|وش لزوم|وش لازمه|وش فايده|وش علاقه|لازم|ضروري|لازمته';

/** Behind a negation: somebody will not say it. */
export const GIVINGS = list('givings').join('|');

/** Say that a question follows. */
export const QUESTION_OPENERS =
  'tell me|can you tell me|one question|my question is|quick question|just wondering|i was wondering|do you know|' +
  'i want to know|i need to know|i d like to know|id like to know|i would like to know|i want to ask|i wanted to ask|can i ask|' +
  'قل لي|قول لي|قولي لي|قولي|قولوا لي|علمني|علميني|علموني|بسالك|بسال|سوالي|عندي سوال|' +
  'ابغى اسال|ابغى اسالك|ابي اسال|ابي اسالك|ودي اسال|ودي اسالك|حاب اسال|حابه اسال|عايز اسال|عايزه اسال|عاوز اسال|عاوزه اسال|' +
  'ابغى اعرف|ابي اعرف|ودي اعرف|حاب اعرف|حابه اعرف|عايز اعرف|عايزه اعرف|عاوز اعرف|عاوزه اعرف';

/** Begin a call, and name no hour. */
export const GREETINGS =
  'good morning|good afternoon|good evening|صباح الخير|صباح النور|صباحك|مساء الخير|مساء النور|مساك|يسعد صباحك|يسعد مساك';

/** The same cut short, at the very beginning of a call; behind them somebody speaks of something else. */
export const SHORT_GREETINGS = each(
  'morning|afternoon|evening',
  'i|im|ive|id|my|we|hi|hello|hey|there|all|where|wheres|can you|could you|can i|could i|just calling|this is|its about|quick question',
);

/** Say what there is, before it is said what shall be. */
export const STANDINGS =
  'i have|i ve got|ive got|i got|i had|we have|we had|there is|it is|it s|its|it was|' +
  'عندي|عندنا|عندها|عنده|فيه عندي|كان عندي|كان عندنا|لي|لنا|كان';

/** The same by what somebody else said of it. */
export const ACCOUNTS = list('accounts').join('|');

/** Beside a day: that somebody can, or would like to, then. */
export const AVAILABILITIES = list('availabilities').join('|');

/** Wish for another time, whichever. */
export const OTHER_TIMES = list('other-times').join('|');

/** Ask whether something can be done. */
export const POSSIBILITIES = list('possibilities').join('|');

/** Join two wishes of one sentence, the one to be done after the other. */
export const SEQUENCES =
  'then|and also|also|after that|afterwards|as well|another thing|one more thing|and the other|while i am at it|' +
  'وبعدين|بعدين|وبعدها|بعدها|ثم|كمان|وكمان|بعد كذا|وايضا|وبرضو|برضو|والثاني|والشي الثاني';

/** After a joining word: what follows is to be done after, or only if, the first is done. */
export const SUBORDINATES =
  'when|once|as soon as|after you|after that|if|in case|لما|اذا|لو|بعد ما|عقب ما|اول ما|وقت ما|حال ما';

/** One more of what there was one of already. */
export const MORE =
  'another|another one|one more|a second|second one|again|too|also|as well|once more|new one|' +
  'ثاني|ثانيه|ثانيا|بعد واحد|كمان|برضو|ايضا|زياده|مره ثانيه|غيره|غيرها|باقي|كذلك';

/** Of these, what says that the same is done again. */
export const ONCE_MORE = 'again|once more|once again|one more time|مره ثانيه|مره اخري|كمان مره';

/** Tell that more than one wish follows; what stands before says nothing of them. */
export const ANNOUNCEMENTS =
  'first|first of all|two things|two requests|two questions|a couple of things|اول شي|اول|شغلتين|طلبين|سؤالين|شيين|امرين|حاجتين';

/** Begin a clause of its own: a negation reaches no further. */
export const CLAUSE_STARTS =
  'but|because|cause|cos|since|so|then|though|although|instead|just|only|rather|actually|i mean|i meant|i only|' +
  'i just|i want|i need|i would|i d|id|i ll|can you|could you|please|and|make it|make that|' +
  'بس|لكن|لاكن|ولكن|لان|لاني|لانه|عشان|علشان|انما|وبعدين|بعدين|بعدها|وبعدها|ثم|ابغى|ابي|ابا|ودي|اريد|قصدي|اقصد|' +
  'وابغى|وابي|واريد|الا|خلها|خليها|خله|خليه|خلوها|خلوه|خلهم|خليهم|خلنا|خلونا|خلني|خلوني|خلاص|غيرها|غيريها|غيره|غيريه|' +
  'غيروها|بدلها|بدليها|حطها|حطيها|سوها|سويها|لا|مو|مب';

/** A yes that is followed by one of these is not yet a yes. */
export const CONDITIONS =
  'but|but first|first|before that|before you do|only if|if|unless|wait|hold on|hang on|although|' +
  'بس|لكن|لاكن|قبلها|قبل|اول|بشرط|اذا|لو|الا اذا|لحظه|استني|انتظر';

/** Said while somebody looks for words. */
export const HESITATIONS =
  'let me think|let me see|let me check|let me look|let me find|let me find it|let me get|one moment|one second|' +
  'one sec|one minute|just a moment|just a second|just a sec|just a minute|a second|a moment|hang on|hold on|' +
  'hang on a second|hold on a second|hold on a minute|' +
  'give me a second|give me a moment|give me a sec|give me a minute|bear with me|wait a minute|wait a second|' +
  'i am thinking|what was it|where is it|' +
  'خليني افكر|خلني افكر|خليني اشوف|خلني اشوف|بشوف|بفكر|افكر|لحظه|لحظه شوي|لحظه بس|دقيقه|دقيقه بس|دقيقه وحده|لحظه وحده|ثانيه وحده|ثواني|ثانيه|' +
  'استني|اصبر|اصبري|صبر|انتظر|انتظري|خليني اتذكر|خلني اتذكر|وين حطيته';

/** Small verbs of a sentence that tells something. */
export const AUXILIARIES =
  'is|are|am|was|were|has|have|had|will|would|does|did|must|should|i ll|im|he s|she s|they re|we re|ive|' +
  'بيرسل|يرسل|برسل|بسال|اسال|بتاكد|اتاكد|يدور|ادور|بجيب|اجيب';

/** Sounds of somebody who looks for words, where nothing else is said. */
export const HESITATION_SOUNDS = 'um|umm|uhm|uh|erm|hmm|hm|امم|اممم|اه|اا|ااا|مم';

/** What follows takes the place of what was said before, inside one answer too: `villa 14, no sorry, villa 40`. */
export const REPLACEMENTS = list('replacements').join('|');

/** Somebody had something in mind. */
export const INTENTIONS =
  'i was going to|i was gonna|i was about to|i was planning to|i was thinking of|i was thinking about|i intended to|i meant to';

/** Behind what one had in mind: it is something else. */
export const BUTS = 'but|بس|لكن|لاكن';

/** Between two values of a kind: the one before it is meant. */
export const PREFERENCES = 'better than|rather than|instead of|and not|but not|not|احسن من|افضل من|بدل|بدال|مو|مب|وليس';

/** Takes back what was said before it. */
export const CORRECTIONS = `no|nope|wait|instead|لا|نسيت|استغفر الله|اقول|${REPLACEMENTS}`;

/** Ask to be quick about it, and for nothing else: `yes, but hurry`. */
export const HURRIES = list('hurries').join('|');

/** Politeness around whatever is said. */
export const PLEASANT =
  'please|thanks|thank you|thank you very much|cheers|sorry|if you please|if you dont mind|if you do not mind|if possible|if thats ok|if thats okay|' +
  'لو سمحت|لو سمحتي|لو سمحتوا|لو تكرمت|لو تكرمتي|لو تكرمتوا|اذا سمحت|اذا سمحتي|اذا تكرمت|اذا تكرمتي|اذا ما عليك امر|لو ما عليك امر|ما عليك امر|' +
  'شكرا|مشكور|الله يعافيك|معليش';

/** Between two wishes: the one after it is to be done first. */
export const PRECEDENCES =
  'but first|but first of all|but tell me first|but first tell me|but can you tell me first|but before that|but before|but to begin with|only first|' +
  'بس اول|بس اول شي|بس قبل|بس قبلها|بس قبل كذا|لكن اول|لكن قبل|لكن قبلها|' +
  each('بس|لكن', 'خبريني|خبرني|علميني|علمني|قولي لي|قول لي|قوليلي|قولي|جاوبيني|جاوبني|عطيني خبر');

/** Before the name of what is asked for: something else comes first. */
export const PREFACES = 'before|قبل';

/** Say that something stays what it is. */
export const KEPT =
  'same|the same|keep|keeping|kept|stay|stays|remain|remains|unchanged|no change|no changes|not change|not changing|dont change|' +
  'do not change|existing|current|registered|usual|already|as is|as it is|as before|on file|on record|in the system|you have|you had|you got|' +
  'نفس|نفسه|نفسها|بنفس|على نفس|خله|خليه|خلوه|خلها|خليها|يبقى|تبقى|مثل ما هو|زي ما هو|على ما هو|الحالي|المسجل|الموجود|' +
  'اللي عندكم|لا تغيره|لا تغيرونه|ما يتغير|ما تغير';

/** Ends what is being done, nothing else being wished for. */
export const LEAVINGS =
  'leave it|never mind|nevermind|forget it|forget about it|drop it|let it be|leave it as it is|changed my mind|' +
  'خلاص|خلاص مابي|هونت|بطلت|خلها|خليها على ما هي|خله على ما هو|ما عاد|غيرت رايي|انسى|انسى الموضوع';

/** Callers in trouble: words of anger, of money taken twice, of complaints about people and of the law. Who uses one wants no form filled in. */
export const COMPLAINTS =
  'double charge|took my money|stole|stolen from me|scam|fraud|thieves|cheated|' +
  'lawyer|sue|to court|in court|the court|a court|consumer protection|ministry|report you|legal action|police|unacceptable|disgusting|disgrace|' +
  'ridiculous|outrageous|fed up|sick of|sick and tired|had enough|worst|terrible service|' +
  'make a complaint|file a complaint|lodge a complaint|register a complaint|want it on record|want that on record|' +
  'want this on record|want it written down|want that written down|want this written down|' +
  'rude|shouted|yelled|swore|insulted|cursed|threatened|harassed|disrespectful|' +
  'خصمتوا من|انخصم|انخصمت|سحبتوا من|نصب|نصابين|نصبتوا|' +
  'حراميه|سرقتوا|احتيال|محامي|محكمه|الوزاره|وزاره|حمايه المستهلك|التجاره|لاشتكيكم|بشتكي|اشتكيكم|اشتكي عليكم|' +
  'شكوي عليكم|وش هالخدمه|ايش هالخدمه|وش هالتعامل|محد عبرني|ما احد عبرني|what kind of service is this|' +
  'رفع صوته|رفعت صوتها|صرخ|صرخت علي|سبني|شتم|شتمني|وقح|وقحه|قليل ادب|قليله ادب|نفسه شينه|نفسها شينه|اسلوبه|' +
  'اسلوبها|عاملني|عاملتني|معامله سيئه|تعامل سيء|مهزله|قرفتونا|طفشت منكم|طفشتونا|زهقت منكم|حسبي الله|حسبنا الله';

/** Money that went, and that it did so more than once: together, anywhere in a sentence, a complaint. */
export const MONEY_TAKEN =
  'charged|billed|paid|took|taken|deducted|debited|withdrawn|my card|my account|' +
  'خصم|خصمتوا|خصموا|انخصم|سحب|سحبتوا|سحبوا|انسحب|دفعت|دفعنا|دافع|تحاسبت|حاسبت|حاسبتوني|بطاقتي|حسابي';
export const TWICE = 'twice|double|two times|a second time|مرتين|مكرر|دبل|مره ثانيه';
