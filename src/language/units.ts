import type { Noun } from './nouns.ts';

/** A unit of measure: how it is written after a number, and said in both languages. */
export interface Unit {
  /** Spellings, exact case; Arabic ones without dots. `°` and `²` are written here as they are in text. */
  readonly signs: readonly string[];
  readonly ar: Noun;
  /** Adjective after the Arabic noun, masculine singular (مربع, مئوي). */
  readonly arAdjective?: string;
  /** Said after noun and adjective (`في الساعة`). */
  readonly arTail?: string;
  readonly en: readonly [singular: string, plural: string];
}

const m = (singular: string, plural: string): Noun => ({ singular, plural, gender: 'm' });
const f = (singular: string, plural: string): Noun => ({ singular, plural, gender: 'f' });
const fixed = (singular: string): Noun => ({ singular, plural: singular, gender: 'm', fixed: true });

const METRE = m('متر', 'أمتار');
const KILOMETRE = m('كيلومتر', 'كيلومترات');
const CENTIMETRE = m('سنتيمتر', 'سنتيمترات');
const MILLIMETRE = m('مليمتر', 'مليمترات');
export const FOOT = f('قدم', 'أقدام');
export const INCH = f('بوصة', 'بوصات');
const BIT = ['كيلوبت', 'ميجابت', 'جيجابت'].map(fixed);
const SECOND_TAIL = 'في الثانية';

export const HOUR: Unit = {
  signs: ['سا', 'س', 'hr', 'hrs', 'h', 'Hrs'],
  ar: f('ساعة', 'ساعات'),
  en: ['hour', 'hours'],
};
export const MINUTE: Unit = {
  signs: ['د', 'دق', 'min', 'mins', 'Min'],
  ar: f('دقيقة', 'دقائق'),
  en: ['minute', 'minutes'],
};

export const BLOOD_PRESSURE: Unit = {
  signs: ['mmHg'],
  ar: m('مليمتر', 'مليمترات'),
  arTail: 'زئبق',
  en: ['millimeter of mercury', 'millimeters of mercury'],
};

export const UNITS: readonly Unit[] = [
  { signs: ['كم', 'كيلومتر', 'كيلو متر', 'km', 'KM', 'Km', 'kms'], ar: KILOMETRE, en: ['kilometer', 'kilometers'] },
  { signs: ['م', 'متر', 'm'], ar: METRE, en: ['meter', 'meters'] },
  { signs: ['سم', 'سنتيمتر', 'سنتمتر', 'cm', 'CM'], ar: CENTIMETRE, en: ['centimeter', 'centimeters'] },
  { signs: ['مم', 'ملم', 'مليمتر', 'ملليمتر', 'mm'], ar: MILLIMETRE, en: ['millimeter', 'millimeters'] },
  {
    signs: ['م²', 'م2', 'م^2', 'متر²', 'متر مربع', 'م مربع', 'm²', 'm2', 'm^2', 'sqm', 'sq m', 'sq.m', 'sq. m'],
    ar: METRE,
    arAdjective: 'مربع',
    en: ['square meter', 'square meters'],
  },
  {
    signs: ['كم²', 'كم2', 'كيلومتر مربع', 'كم مربع', 'كيلو متر مربع', 'km²', 'km2', 'km^2', 'sq km'],
    ar: KILOMETRE,
    arAdjective: 'مربع',
    en: ['square kilometer', 'square kilometers'],
  },
  {
    signs: ['سم²', 'سم2', 'cm²', 'cm2'],
    ar: CENTIMETRE,
    arAdjective: 'مربع',
    en: ['square centimeter', 'square centimeters'],
  },
  {
    signs: ['م³', 'م3', 'متر³', 'متر مكعب', 'm³', 'm3', 'm^3'],
    ar: METRE,
    arAdjective: 'مكعب',
    en: ['cubic meter', 'cubic meters'],
  },
  {
    signs: ['سم³', 'سم3', 'cm³', 'cm3', 'cc'],
    ar: CENTIMETRE,
    arAdjective: 'مكعب',
    en: ['cubic centimeter', 'cubic centimeters'],
  },
  {
    signs: ['قدم²', 'قدم مربع', 'قدم مربعة', 'ft²', 'ft2', 'sqft', 'sq ft', 'sq. ft', 'sq.ft'],
    ar: FOOT,
    arAdjective: 'مربع',
    en: ['square foot', 'square feet'],
  },
  { signs: ['ft'], ar: FOOT, en: ['foot', 'feet'] },
  { signs: ['in', '"', '″', 'بوصة', 'inch'], ar: INCH, en: ['inch', 'inches'] },
  { signs: ['yd'], ar: f('ياردة', 'ياردات'), en: ['yard', 'yards'] },
  { signs: ['mi'], ar: m('ميل', 'أميال'), en: ['mile', 'miles'] },
  {
    signs: ['كم/س', 'كم/ساعة', 'كم/ساعه', 'كلم/س', 'كم / س', 'km/h', 'kmh', 'kph', 'KM/H', 'km/hr'],
    ar: KILOMETRE,
    arTail: 'في الساعة',
    en: ['kilometer per hour', 'kilometers per hour'],
  },
  { signs: ['كلم'], ar: KILOMETRE, en: ['kilometer', 'kilometers'] },
  { signs: ['mph'], ar: m('ميل', 'أميال'), arTail: 'في الساعة', en: ['mile per hour', 'miles per hour'] },
  {
    signs: ['م/ث²', 'm/s²', 'm/s2'],
    ar: METRE,
    arTail: 'في الثانية المربعة',
    en: ['meter per second squared', 'meters per second squared'],
  },
  { signs: ['م/ث', 'م/ثانية', 'm/s'], ar: METRE, arTail: SECOND_TAIL, en: ['meter per second', 'meters per second'] },
  {
    signs: ['كجم', 'كغ', 'كغم', 'كج', 'كيلوغرام', 'كيلوجرام', 'كيلو جرام', 'كيلو غرام', 'kg', 'KG', 'Kg', 'kgs', 'KGS'],
    ar: m('كيلوغرام', 'كيلوغرامات'),
    en: ['kilogram', 'kilograms'],
  },
  {
    signs: ['جم', 'غم', 'غ', 'جرام', 'غرام', 'g', 'gm', 'gr', 'grams'],
    ar: m('غرام', 'غرامات'),
    en: ['gram', 'grams'],
  },
  {
    signs: ['ملغ', 'ملجم', 'مجم', 'ملغم', 'مليغرام', 'مليجرام', 'ملليجرام', 'mg', 'MG'],
    ar: m('مليغرام', 'مليغرامات'),
    en: ['milligram', 'milligrams'],
  },
  { signs: ['mcg', 'µg', 'μg', 'ميكروغرام'], ar: m('ميكروغرام', 'ميكروغرامات'), en: ['microgram', 'micrograms'] },
  { signs: ['طن', 'ton', 't'], ar: m('طن', 'أطنان'), en: ['ton', 'tons'] },
  { signs: ['lb', 'lbs', 'رطل'], ar: m('رطل', 'أرطال'), en: ['pound', 'pounds'] },
  { signs: ['oz'], ar: f('أونصة', 'أونصات'), en: ['ounce', 'ounces'] },
  { signs: ['ل', 'لتر', 'L', 'l', 'Ltr', 'ltr'], ar: m('لتر', 'لترات'), en: ['liter', 'liters'] },
  { signs: ['مل', 'ملل', 'مليلتر', 'ml', 'mL', 'ML'], ar: m('مليلتر', 'مليلترات'), en: ['milliliter', 'milliliters'] },
  { signs: ['tbsp', 'Tbsp', 'tbs'], ar: f('ملعقة', 'ملاعق'), arAdjective: 'كبير', en: ['tablespoon', 'tablespoons'] },
  { signs: ['tsp', 'Tsp'], ar: f('ملعقة', 'ملاعق'), arAdjective: 'صغير', en: ['teaspoon', 'teaspoons'] },
  { signs: ['gal'], ar: m('غالون', 'غالونات'), en: ['gallon', 'gallons'] },
  { signs: ['هكتار', 'ha'], ar: m('هكتار', 'هكتارات'), en: ['hectare', 'hectares'] },
  {
    signs: ['°م', '° م', '℃', '°C', '° C', '°س', 'ºC', 'C', 'درجة مئوية', 'درجات مئوية'],
    ar: f('درجة', 'درجات'),
    arAdjective: 'مئوي',
    en: ['degree Celsius', 'degrees Celsius'],
  },
  {
    signs: ['°ف', '℉', '°F', '° F', 'ºF', 'F'],
    ar: f('درجة', 'درجات'),
    arAdjective: 'فهرنهايت',
    en: ['degree Fahrenheit', 'degrees Fahrenheit'],
  },
  { signs: ['°', 'º', 'درجة', 'درجات'], ar: f('درجة', 'درجات'), en: ['degree', 'degrees'] },
  { signs: ['KB', 'kB', 'كيلوبايت'], ar: fixed('كيلوبايت'), en: ['kilobyte', 'kilobytes'] },
  { signs: ['MB', 'ميجابايت', 'ميغابايت', 'م.ب'], ar: fixed('ميجابايت'), en: ['megabyte', 'megabytes'] },
  { signs: ['GB', 'جيجابايت', 'غيغابايت', 'ج.ب'], ar: fixed('جيجابايت'), en: ['gigabyte', 'gigabytes'] },
  { signs: ['TB', 'تيرابايت'], ar: fixed('تيرابايت'), en: ['terabyte', 'terabytes'] },
  {
    signs: ['kbps', 'Kbps', 'kb/s', 'Kb/s'],
    ar: BIT[0]!,
    arTail: SECOND_TAIL,
    en: ['kilobit per second', 'kilobits per second'],
  },
  {
    signs: ['Mbps', 'mbps', 'MBPS', 'Mb/s', 'Mbit/s', 'ميجابت/ث', 'ميجابت/ثانية', 'ميغابت/ث', 'ميجا/ث'],
    ar: BIT[1]!,
    arTail: SECOND_TAIL,
    en: ['megabit per second', 'megabits per second'],
  },
  {
    signs: ['Gbps', 'gbps', 'Gb/s'],
    ar: BIT[2]!,
    arTail: SECOND_TAIL,
    en: ['gigabit per second', 'gigabits per second'],
  },
  {
    signs: ['MB/s', 'MBps'],
    ar: fixed('ميجابايت'),
    arTail: SECOND_TAIL,
    en: ['megabyte per second', 'megabytes per second'],
  },
  { signs: ['GB/s'], ar: fixed('جيجابايت'), arTail: SECOND_TAIL, en: ['gigabyte per second', 'gigabytes per second'] },
  { signs: ['Hz'], ar: fixed('هرتز'), en: ['hertz', 'hertz'] },
  { signs: ['kHz', 'KHz'], ar: fixed('كيلوهرتز'), en: ['kilohertz', 'kilohertz'] },
  { signs: ['MHz'], ar: fixed('ميجاهرتز'), en: ['megahertz', 'megahertz'] },
  { signs: ['GHz'], ar: fixed('جيجاهرتز'), en: ['gigahertz', 'gigahertz'] },
  { signs: ['MP', 'ميجابكسل'], ar: fixed('ميجابكسل'), en: ['megapixel', 'megapixels'] },
  { signs: ['px'], ar: fixed('بكسل'), en: ['pixel', 'pixels'] },
  { signs: ['fps'], ar: m('إطار', 'إطارات'), arTail: SECOND_TAIL, en: ['frame per second', 'frames per second'] },
  { signs: ['mAh', 'مللي أمبير'], ar: fixed('مللي أمبير'), arTail: 'ساعة', en: ['milliamp hour', 'milliamp hours'] },
  { signs: ['W', 'واط'], ar: fixed('واط'), en: ['watt', 'watts'] },
  { signs: ['kW', 'KW', 'كيلوواط', 'ك.و'], ar: fixed('كيلوواط'), en: ['kilowatt', 'kilowatts'] },
  { signs: ['MW', 'ميجاواط', 'ميغاواط'], ar: fixed('ميجاواط'), en: ['megawatt', 'megawatts'] },
  {
    signs: ['kWh', 'KWh', 'kwh', 'KWH', 'ك.و.س', 'كوس', 'كيلوواط/ساعة'],
    ar: fixed('كيلوواط'),
    arTail: 'ساعة',
    en: ['kilowatt hour', 'kilowatt hours'],
  },
  { signs: ['V', 'فولت'], ar: fixed('فولت'), en: ['volt', 'volts'] },
  { signs: ['A', 'أمبير'], ar: fixed('أمبير'), en: ['amp', 'amps'] },
  { signs: ['HP', 'hp'], ar: m('حصان', 'أحصنة'), en: ['horsepower', 'horsepower'] },
  {
    signs: ['rpm', 'RPM'],
    ar: f('دورة', 'دورات'),
    arTail: 'في الدقيقة',
    en: ['revolution per minute', 'revolutions per minute'],
  },
  {
    signs: ['bpm', 'BPM', 'نبضة/دقيقة', 'نبضه/دقيقه', 'نبضة/د', 'نبضة بالدقيقة'],
    ar: f('نبضة', 'نبضات'),
    arTail: 'في الدقيقة',
    en: ['beat per minute', 'beats per minute'],
  },
  {
    signs: ['psi', 'PSI'],
    ar: m('رطل', 'أرطال'),
    arTail: 'على البوصة المربعة',
    en: ['pound per square inch', 'pounds per square inch'],
  },
  { signs: ['bar', 'بار'], ar: fixed('بار'), en: ['bar', 'bars'] },
  { signs: ['dB', 'ديسيبل'], ar: fixed('ديسيبل'), en: ['decibel', 'decibels'] },
  {
    signs: ['kcal', 'سعرة', 'سعرة حرارية'],
    ar: f('سعرة', 'سعرات'),
    arAdjective: 'حراري',
    en: ['kilocalorie', 'kilocalories'],
  },
  {
    signs: ['mg/dL', 'mg/dl', 'ملجم/دل', 'ملغ/دل', 'ملغم/دل', 'مجم/دل'],
    ar: m('مليغرام', 'مليغرامات'),
    arTail: 'لكل ديسيلتر',
    en: ['milligram per deciliter', 'milligrams per deciliter'],
  },
  BLOOD_PRESSURE,
  HOUR,
  MINUTE,
  { signs: ['ث', 'sec', 'secs', 's'], ar: f('ثانية', 'ثوان'), en: ['second', 'seconds'] },
  { signs: ['ms'], ar: fixed('مللي ثانية'), en: ['millisecond', 'milliseconds'] },
  { signs: ['yr', 'yrs'], ar: f('سنة', 'سنوات'), en: ['year', 'years'] },
  { signs: ['mo', 'mos', 'mo.'], ar: m('شهر', 'أشهر'), en: ['month', 'months'] },
  { signs: ['wk', 'wks'], ar: m('أسبوع', 'أسابيع'), en: ['week', 'weeks'] },
  {
    signs: ['m³/s', 'm3/s'],
    ar: METRE,
    arAdjective: 'مكعب',
    arTail: SECOND_TAIL,
    en: ['cubic meter per second', 'cubic meters per second'],
  },
  {
    signs: ['gsm', 'g/m²', 'g/m2'],
    ar: m('غرام', 'غرامات'),
    arTail: 'للمتر المربع',
    en: ['gram per square meter', 'grams per square meter'],
  },
  {
    signs: ['mmol/L', 'mmol/l'],
    ar: fixed('مليمول'),
    arTail: 'لكل لتر',
    en: ['millimole per liter', 'millimoles per liter'],
  },
  { signs: ['µF', 'μF'], ar: fixed('ميكروفاراد'), en: ['microfarad', 'microfarads'] },
  { signs: ['VAC'], ar: fixed('فولت'), arTail: 'تيار متردد', en: ['volt A C', 'volts A C'] },
  { signs: ['VDC'], ar: fixed('فولت'), arTail: 'تيار مستمر', en: ['volt D C', 'volts D C'] },
  { signs: ['bps'], ar: f('نقطة', 'نقاط'), arAdjective: 'أساسي', en: ['basis point', 'basis points'] },
  { signs: ['mpg', 'MPG'], ar: m('ميل', 'أميال'), arTail: 'للغالون', en: ['mile per gallon', 'miles per gallon'] },
  { signs: ['wpm', 'WPM'], ar: f('كلمة', 'كلمات'), arTail: 'في الدقيقة', en: ['word per minute', 'words per minute'] },
  { signs: ['ppm'], ar: m('جزء', 'أجزاء'), arTail: 'في المليون', en: ['part per million', 'parts per million'] },
  { signs: ['bbl', 'bbls'], ar: m('برميل', 'براميل'), en: ['barrel', 'barrels'] },
  { signs: ['cu ft', 'cu. ft', 'ft³', 'ft3'], ar: FOOT, arAdjective: 'مكعب', en: ['cubic foot', 'cubic feet'] },
  {
    signs: ['sq mi', 'sq. mi', 'mi²'],
    ar: m('ميل', 'أميال'),
    arAdjective: 'مربع',
    en: ['square mile', 'square miles'],
  },
  { signs: ['sq in', 'sq. in', 'in²'], ar: INCH, arAdjective: 'مربع', en: ['square inch', 'square inches'] },
  { signs: ['fl oz', 'fl. oz'], ar: f('أونصة', 'أونصات'), arAdjective: 'سائل', en: ['fluid ounce', 'fluid ounces'] },
  { signs: ['qt', 'qts'], ar: m('ربع', 'أرباع'), arTail: 'غالون', en: ['quart', 'quarts'] },
  { signs: ['cl', 'cL'], ar: m('سنتيلتر', 'سنتيلترات'), en: ['centiliter', 'centiliters'] },
  { signs: ['dl', 'dL'], ar: m('ديسيلتر', 'ديسيلترات'), en: ['deciliter', 'deciliters'] },
  { signs: ['nm'], ar: m('نانومتر', 'نانومترات'), en: ['nanometer', 'nanometers'] },
  { signs: ['µm', 'μm'], ar: m('ميكرومتر', 'ميكرومترات'), en: ['micrometer', 'micrometers'] },
  { signs: ['GW'], ar: fixed('جيجاواط'), en: ['gigawatt', 'gigawatts'] },
  { signs: ['MWh'], ar: fixed('ميجاواط'), arTail: 'ساعة', en: ['megawatt hour', 'megawatt hours'] },
  { signs: ['GWh'], ar: fixed('جيجاواط'), arTail: 'ساعة', en: ['gigawatt hour', 'gigawatt hours'] },
  { signs: ['kVA', 'KVA'], ar: fixed('كيلوفولت أمبير'), en: ['kilovolt ampere', 'kilovolt amperes'] },
  { signs: ['kV', 'KV'], ar: fixed('كيلوفولت'), en: ['kilovolt', 'kilovolts'] },
  { signs: ['mV'], ar: fixed('مللي فولت'), en: ['millivolt', 'millivolts'] },
  { signs: ['mA'], ar: fixed('مللي أمبير'), en: ['milliamp', 'milliamps'] },
  { signs: ['kPa'], ar: fixed('كيلوباسكال'), en: ['kilopascal', 'kilopascals'] },
  { signs: ['MPa'], ar: fixed('ميجاباسكال'), en: ['megapascal', 'megapascals'] },
  { signs: ['kN'], ar: fixed('كيلونيوتن'), en: ['kilonewton', 'kilonewtons'] },
  { signs: ['Nm', 'N·m'], ar: fixed('نيوتن متر'), en: ['newton meter', 'newton meters'] },
  { signs: ['kJ'], ar: fixed('كيلوجول'), en: ['kilojoule', 'kilojoules'] },
  { signs: ['cal', 'Cal'], ar: f('سعرة', 'سعرات'), arAdjective: 'حراري', en: ['calorie', 'calories'] },
  { signs: ['lm'], ar: fixed('لومن'), en: ['lumen', 'lumens'] },
  { signs: ['Ω'], ar: fixed('أوم'), en: ['ohm', 'ohms'] },
  { signs: ['kΩ'], ar: fixed('كيلو أوم'), en: ['kilohm', 'kilohms'] },
  { signs: ['PB'], ar: fixed('بيتابايت'), en: ['petabyte', 'petabytes'] },
  { signs: ['Tbps'], ar: fixed('تيرابت'), arTail: SECOND_TAIL, en: ['terabit per second', 'terabits per second'] },
  { signs: ['THz'], ar: fixed('تيراهرتز'), en: ['terahertz', 'terahertz'] },
  { signs: ['IU'], ar: f('وحدة', 'وحدات'), arAdjective: 'دولي', en: ['international unit', 'international units'] },
  { signs: ['kts', 'kn'], ar: f('عقدة', 'عقد'), en: ['knot', 'knots'] },
  { signs: ['ft/s'], ar: FOOT, arTail: SECOND_TAIL, en: ['foot per second', 'feet per second'] },
  { signs: ['dpi', 'DPI'], ar: f('نقطة', 'نقاط'), arTail: 'في البوصة', en: ['dot per inch', 'dots per inch'] },
  { signs: ['ppi', 'PPI'], ar: fixed('بكسل'), arTail: 'في البوصة', en: ['pixel per inch', 'pixels per inch'] },
  { signs: ['pcs', 'pc'], ar: f('قطعة', 'قطع'), en: ['piece', 'pieces'] },
];

/** Arabic one-letter units that are also abbreviations of other things: read as units only where nothing else fits. */
export const AMBIGUOUS_UNITS: ReadonlySet<string> = new Set(['م', 'د', 'ل', 'غ', 'ث', 'س']);
