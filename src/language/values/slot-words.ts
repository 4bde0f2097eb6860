import type { Localized, LocalizedList } from '../../core/agent.ts';

/** What callers call the parts of a booking, for corrections: `change the date`, `غير الوقت`. */
export const SLOT_WORDS: Readonly<Record<string, LocalizedList & { readonly say: Localized }>> = {
  date: { en: ['date', 'day'], ar: ['التاريخ', 'اليوم', 'تاريخ', 'يوم'], say: { en: 'date', ar: 'التاريخ' } },
  time: { en: ['time', 'hour'], ar: ['الوقت', 'الساعة', 'وقت'], say: { en: 'time', ar: 'الوقت' } },
  name: { en: ['name'], ar: ['الاسم', 'اسمي', 'اسم'], say: { en: 'name', ar: 'الاسم' } },
  phone: {
    en: ['phone', 'mobile', 'phone number'],
    ar: ['الجوال', 'جوالي', 'رقم الجوال'],
    say: { en: 'phone number', ar: 'رقم الجوال' },
  },
  digits: {
    en: ['number', 'order number', 'order'],
    ar: ['الرقم', 'رقم', 'رقم الطلب'],
    say: { en: 'number', ar: 'الرقم' },
  },
  number: { en: ['number', 'count', 'how many'], ar: ['العدد', 'عدد'], say: { en: 'number', ar: 'العدد' } },
  text: { en: ['address', 'text'], ar: ['العنوان', 'عنوان'], say: { en: 'address', ar: 'العنوان' } },
  choice: {
    en: ['type', 'service', 'choice', 'kind'],
    ar: ['الخدمة', 'النوع', 'خدمة'],
    say: { en: 'choice', ar: 'الخيار' },
  },
  yesno: { en: [], ar: [], say: { en: 'answer', ar: 'الجواب' } },
};
