import { foldedSet } from '../../../language/fold-word.ts';

/**
 * Verbs that take what is counted or paid as their object, or a date as their time: past stem, present stem without its first
 * letter, imperative. A dash: the form is not used.
 */
const VERBS = `
 دفع دفع ادفع|سدد سدد سدد|حول حول حول|استلم ستلم استلم|سلم سلم سلم|أضاف ضيف أضف|أضف ضيف ضيف|خصم خصم اخصم|أرسل رسل أرسل|رسل رسل رسل|اشترى شتري اشتر|اشتري شتري اشتري|شرى شري اشر
 باع بيع بع|بع بيع بيع|طلب طلب اطلب|حجز حجز احجز|أخذ أخذ خذ|كلف كلف -|كلفن كلفن -|بلغ بلغ -|تجاوز تجاوز -|استغرق ستغرق -|استهلك ستهلك -|استخدم ستخدم استخدم|انتظر نتظر انتظر|قضى قضي اقض|قضي قضي -
 احتاج حتاج -|أراد ريد -|بغى بغى -|ود ود -|أعطى عطي أعط|عطى عطي عط|أعطي عطي -|جمع جمع اجمع|كسب كسب -|ربح ربح -|خسر خسر -|وفر وفر وفر|سحب سحب اسحب|أودع ودع أودع|شحن شحن اشحن|صرف صرف اصرف|اقترض قترض -
 وجد جد -|لقى لقى -|شاف شوف شف|رأى رى -|قرأ قرأ اقرأ|كتب كتب اكتب|ضم ضم -|تضمن تضمن -|شمل شمل -|وظف وظف -|حقق حقق -|افتتح فتتح -|أغلق غلق -|فتح فتح افتح|نفذ نفذ -|أنجز نجز -|قدم قدم -|أصدر صدر -
 قطع قطع -|مشى مشي امش|وضع ضع ضع|حط حط حط|كمل كمل -|أكمل كمل -|غطى غطي -|نشر نشر -|حمل حمل حمل|شرب شرب اشرب|أكل أكل كل|تناول تناول تناول|خذ اخذ خذ|جاب جيب جب|حصد حصد -|أحرز حرز -|أطلق طلق -
 رفع رفع ارفع|جهز جهز جهز|عمل عمل اعمل|سوى سوي سو|اختار ختار اختر|أدخل دخل أدخل|كرر كرر كرر|هات هات هات|ادخر دخر ادخر|وزع وزع وزع|زرع زرع ازرع|ركب ركب ركب|صلح صلح صلح|صلى صلي صل|صلي صلي صلي|حفظ حفظ احفظ|استورد ستورد -|أنتج نتج -|استقبل ستقبل -|استضاف ستضيف -|نقل نقل انقل|ختم ختم اختم
`;

/**
 * Verbs without an object, or with a counted subject as often: a number directly after one is its subject (وصل عشرون طالباً),
 * a date after one still its time.
 */
const INTRANSITIVE = `
 بدأ بدأ ابدأ|بدا بدا -|انتهى نتهي -|صدر صدر -|وصل صل -|حل حل -|أقيم قام -|عقد عقد -|انعقد نعقد -|انطلق نطلق -|ولد ولد -|توفي توفى -|سافر سافر سافر|رجع رجع ارجع|تأسس تأسس -|أسس ؤسس -|وافق وافق -|صادف صادف -|أقلع قلع -|غادر غادر -|كان كون -|صار صير -|سجل سجل -
`;

const PAST_ENDINGS = ['', 'ت', 'نا', 'وا', 'ني', 'تني'];
const PRESENT_BEGINNINGS = ['ي', 'ت', 'ن', 'أ', 'سي', 'ست', 'سن', 'سأ', 'بي', 'بت', 'بن', 'حي'];
const PRESENT_ENDINGS = ['', 'ون', 'وا', 'ني', 'ك'];
const IMPERATIVE_ENDINGS = ['', 'ي', 'وا', 'ها', 'ني'];

function conjugated(entry: string): string[] {
  const [past, present, imperative] = entry.trim().split(' ') as [string, string, string];
  return [
    ...PAST_ENDINGS.map((ending) => past + ending),
    ...PRESENT_BEGINNINGS.flatMap((beginning) => PRESENT_ENDINGS.map((ending) => beginning + present + ending)),
    ...(imperative === '-' ? [] : IMPERATIVE_ENDINGS.map((ending) => imperative + ending)),
  ];
}

/** Nouns and names that a conjugated form happens to be spelled as. */
const NOT_VERBS = foldedSet(
  'كل حل عمل نقل كلف ولد عقد حمل جمع ود فتح سلم حط ضم بع كانت كان يكون تكون كنت ستكون سيكون صارت صار شحن خصم تقديم حقق قدم',
);

/** Folded forms of the verbs above that take an object: a number directly after one is it. */
export const OBJECT_VERB_FORMS: ReadonlySet<string> = formsOf(VERBS);
/** Folded forms of all verbs above: a date after one is its time. */
export const VERB_FORMS: ReadonlySet<string> = new Set([...OBJECT_VERB_FORMS, ...formsOf(INTRANSITIVE)]);

function formsOf(verbs: string): ReadonlySet<string> {
  const forms = foldedSet(
    ...verbs
      .trim()
      .split(/[|\n]/u)
      .map((entry) => conjugated(entry).join(' ')),
  );
  return new Set([...forms].filter((form) => !NOT_VERBS.has(form)));
}
