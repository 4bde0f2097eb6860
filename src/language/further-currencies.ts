import type { Currency } from './currencies.ts';
import type { Noun } from './nouns.ts';

/**
 * Currencies met now and then, one a line: code | signs | English | plural | minor | minor plural | Arabic | plural |
 * nationality | minor | minor plural. An Arabic minor that ends in ة is feminine.
 */
const TABLE = `
HKD|HK$|Hong Kong dollar|Hong Kong dollars|cent|cents|دولار|دولارات|هونغ كونغي|سنت|سنتات
SGD|S$|Singapore dollar|Singapore dollars|cent|cents|دولار|دولارات|سنغافوري|سنت|سنتات
NZD|NZ$|New Zealand dollar|New Zealand dollars|cent|cents|دولار|دولارات|نيوزيلندي|سنت|سنتات
BRL|R$|Brazilian real|Brazilian reais|centavo|centavos|ريال|ريالات|برازيلي|سنتافو|سنتافو
KRW|₩|won|won|jeon|jeon|وون|وون|كوري|جون|جون
RUB|₽|ruble|rubles|kopeck|kopecks|روبل|روبلات|روسي|كوبيك|كوبيكات
ZAR||rand|rand|cent|cents|راند|راند|جنوب أفريقي|سنت|سنتات
SEK||Swedish krona|Swedish kronor|öre|öre|كرونة|كرونات|سويدي|أوره|أوره
NOK||Norwegian krone|Norwegian kroner|øre|øre|كرونة|كرونات|نرويجي|أوره|أوره
DKK||Danish krone|Danish kroner|øre|øre|كرونة|كرونات|دنماركي|أوره|أوره
PHP|₱|Philippine peso|Philippine pesos|centavo|centavos|بيزو|بيزو|فلبيني|سنتافو|سنتافو
IDR||Indonesian rupiah|Indonesian rupiah|sen|sen|روبية|روبيات|إندونيسي|سن|سن
MYR||Malaysian ringgit|Malaysian ringgit|sen|sen|رينغيت|رينغيت|ماليزي|سن|سن
THB|฿|baht|baht|satang|satang|بات|بات|تايلندي|ساتانغ|ساتانغ
NGN|₦|naira|naira|kobo|kobo|نايرا|نايرا|نيجيري|كوبو|كوبو
BDT|৳|Bangladeshi taka|Bangladeshi taka|poisha|poisha|تاكا|تاكا|بنغلاديشي|بيسة|بيسات
LKR||Sri Lankan rupee|Sri Lankan rupees|cent|cents|روبية|روبيات|سريلانكي|سنت|سنتات
MAD||Moroccan dirham|Moroccan dirhams|centime|centimes|درهم|دراهم|مغربي|سنتيم|سنتيمات
SDG||Sudanese pound|Sudanese pounds|piaster|piasters|جنيه|جنيهات|سوداني|قرش|قروش
YER||Yemeni rial|Yemeni rials|fils|fils|ريال|ريالات|يمني|فلس|فلوس
MXN||Mexican peso|Mexican pesos|centavo|centavos|بيزو|بيزو|مكسيكي|سنتافو|سنتافو
`;

export const FURTHER_CURRENCIES: readonly Currency[] = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [code, sign, one, many, minor, minors, ar, arMany, arAdjective, arMinor, arMinors] = line.split('|') as [
      ...[string, string, string, string, string, string],
      ...[string, string, string, string, string],
    ];
    return {
      ...{ code, minorDigits: 2, arAdjective, signs: sign === '' ? [] : [sign], arabicSigns: [] },
      ...{ ar: noun(ar, arMany), arMinor: noun(arMinor, arMinors) },
      ...{ en: [one, many] as const, enMinor: [minor, minors] as const },
    };
  });

function noun(singular: string, plural: string): Noun {
  const feminine = singular.endsWith('ة');
  return { singular, plural, gender: feminine ? 'f' : 'm', ...(singular === plural && { fixed: true }) };
}
