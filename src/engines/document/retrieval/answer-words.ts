/** Single words that answer questions of a kind; see `answer-kinds.ts` for whole sentences. */

import {
  HIJRI_MONTH_AR,
  MONTH_AR,
  MONTH_EN,
  WEEKDAY_AR,
  WEEKDAY_EN,
} from '../../../language/calendar/date-patterns.ts';
import { pattern } from '../../../language/pattern.ts';
import { isNumberWord as isNumber } from './answer-kinds.ts';

const DATE_WORD = pattern('iu')`
  ^(?:\d{3,4}s?|[٠-٩]{3,4}|${MONTH_EN}|${WEEKDAY_EN}|spring|summer|autumn|fall|winter|easter|christmas|century|centuries|dawn|dusk|morning|
  noon|afternoon|evening|night|midnight|weekends?|weekdays?|[وبفل]?(?:${MONTH_AR}|${HIJRI_MONTH_AR}|${WEEKDAY_AR}|ربيع|جمادى|القعدة|
  الحجة|الربيع|الصيف|الخريف|الشتاء|صيف|خريف|شتاء|القرن|قرن|الفجر|فجر|الظهر|ظهر|العصر|المغرب|الغروب|غروب|الشروق|العشاء|ليل[اً]*|الليل|
  صباح[اً]*|مساء[اً]*|الصباح|المساء|عيد|العيد|التسعينيات|الثمانينيات|السبعينيات|الستينيات|الخمسينيات|الأربعينيات|الثلاثينيات|
  العشرينيات))$
`;
const ROLE_WORD = pattern('iu')`
  ^(?:kings?|queen|prince|princess|emperor|sultan|president|minister|chief|head|manager|director|engineers?|architect|doctors?|
  scientists?|researchers?|biologist|chemist|physicist|astronomer|teacher|professor|judge|general|captain|admiral|bishop|archbishop|pope|
  priest|monks?|merchants?|traders?|farmers?|fishermen|sailors?|workers?|labourers?|union|company|firm|bank|party|government|parliament|
  council|committee|society|association|authorit(?:y|ies)|army|soldiers|tribes?|settlers|volunteers?|students?|pupils?|members?|families|
  family|widow|wife|husband|brothers?|sisters?|sons?|daughters?|father|mother|uncle|aunt|founder|author|writer|poet|painter|artist|
  composer|explorer|mason|banker|nobleman|lord|duke|duchess|count|countess|team|keepers?|clerk|secretary|accountant|coach|captain|
  goalkeeper|striker|editor|publisher|photographer|inventor|designer|builder|contractor|owner|landlord|tenant|citizens|residents|
  villagers|peasants|refugees|immigrants|vikings|romans|greeks|arabs|turks|germans|french|english|british|dutch|spanish|portuguese|
  chinese|japanese|americans|monastery|university|museum|institute|foundation|ministry|agency|club|church|corporation|nuns?|knights?|
  slaves?|schoolgirl|schoolboy|schoolteacher|geologist|botanist|zoologist|naturalist|mathematician|historian|archaeologist|philosopher|
  diplomat|senator|mayor|governor|chancellor|emir|caliph|shah|tsar|pharaoh|[وبفل]?(?:ال)?(?:ملك|ملكة|أمير|أميرة|سلطان|خليفة|إمبراطور|رئيس|
  رئيسة|وزير|وزيرة|قائد|قائدة|مدير|مديرة|مهندس|مهندسة|معماري|معمارية|طبيب|طبيبة|عالم|عالمة|باحث|باحثة|فلكي|فلكية|مؤرخ|مؤرخة|شاعر|شاعرة|
  كاتب|كاتبة|روائي|روائية|أديب|رسام|رسامة|فنان|فنانة|مخرج|مخرجة|موسيقار|ملحن|مغني|لاعب|مهاجم|حارس|مدرب|تاجر|تجار|صناع|حرفي|نحات|مزارع|
  مزارعون|صياد|بحار|بحارة|رحالة|مستكشف|ضابط|جنرال|قبطان|والي|وال|حاكم|شيخ|إمام|قاضي|أستاذ|أستاذة|دكتور|دكتورة|معلم|معلمة|خبير|خبراء|عمال|
  عامل|طلاب|سكان|أهالي|قبيلة|قبائل|شركة|مؤسسة|هيئة|لجنة|منظمة|جمعية|وزارة|حكومة|فريق|نادي|اتحاد|سيدة|سيد|رجل|أعمال|راهب|رهبان|أسقف|مبشر|
  جراح|صيدلي|مخترع|مصور|مصورة|صحفي|صحفية|متبرع|مشرف|مشرفة|وكيل|وكيلة|سكرتير|محاسب|مرشد|مرشدة|ممرض|ممرضة|موظف|موظفة|مندوب|مالك|مؤجر|مستأجر|
  نوخذة|نهام|غواص|غواصون|قس|كاهن|ولي|والد|والدة|أب|أم|أخ|أخت|ابن|ابنة|زوج|زوجة|حفيد|حفيدة|جد|عم|خال|أستاذه|طالب|طالبة|تلميذ|مشجع|مشجعون|
  جمهور|مقاول|نساج|نجار|حداد|بناء|صائغ|راعي|رعاة|قرويون|مستوطنون|مهاجرون|جنود|قوات|حزب|نقابة|صندوق|بنك|مصرف|بلدية|أمانة|محكمة|برلمان|مجلس|
  منتخب))$
`;
const PLACE_WORD = pattern('iu')`
  ^(?:street|road|avenue|building|tower|hall|city|town|village|country|region|centre|center|church|cathedral|castle|palace|museum|
  hospital|station|harbour|port|river|lake|sea|ocean|coast|island|mountains?|hills?|valley|forest|desert|plateau|cave|beach|shore|bank|
  north|south|east|west|northern|southern|eastern|western|abroad|[وبفل]?(?:ال)?(?:شارع|طريق|حي|مبنى|برج|قاعة|مدينة|قرية|بلدة|بلد|دولة|
  منطقة|إقليم|محافظة|مركز|كنيسة|مسجد|جامع|قلعة|حصن|قصر|متحف|مستشفى|محطة|ميناء|مرفأ|نهر|بحيرة|بحر|محيط|ساحل|جزيرة|جبل|جبال|تل|وادي|واد|
  غابة|صحراء|هضبة|كهف|مغارة|شاطئ|ضفة|شمال|جنوب|شرق|غرب))$
`;
const REASON_WORD = pattern('iu')`
  ^(?:because|due|since|owing|thanks|so|to|for|lest|therefore|reason|cause|[وف]?(?:لأن|لأنها|لأنه|لأنهم|لأنّ|بسبب|نظر[اً]*|حتى|لكي|كي|من|
  نتيجة|سبب|خوف[اً]*|خشية|لتجنب|لضمان|لحماية|لمنع|إثر|بعدما|إذ|حيث|لئلا|حرص[اً]*|لعدم|ل\p{L}{3,}))$
`;

export function isNumberWord(raw: string): boolean {
  return isNumber(raw);
}
/** A month, a day, a season, a time of the day, a year. */
export function isDateWord(raw: string): boolean {
  return DATE_WORD.test(raw);
}
/** Somebody by what they are, or a body of people: `engineer`, `council`. */
export function isRoleWord(raw: string): boolean {
  return ROLE_WORD.test(raw.replace(/[\u064b-\u0652]/g, ''));
}
export function isPlaceWord(raw: string): boolean {
  return PLACE_WORD.test(raw);
}
/** `because`, `لأن`, a purpose. */
export function isReasonWord(raw: string): boolean {
  return REASON_WORD.test(raw);
}
