import { COMPLAINTS_NEVER, COMPLAINTS_TOLD, MEDICINES, MORE_CONDITIONS, SUFFERINGS } from './health-words.ts';
import type { Kind } from './kinds.ts';
import {
  BELIEF,
  BELIEF_ALWAYS,
  BELIEF_NEVER,
  BIOMETRIC,
  BIOMETRIC_ALWAYS,
  BIOMETRIC_NEVER,
  CRIMINAL,
  CRIMINAL_ALWAYS,
  CRIMINAL_NEVER,
  GENETIC,
  GENETIC_ALWAYS,
  GENETIC_NEVER,
  PARENTAGE,
} from './sensitive-words.ts';

/**
 * Words of sensitive data. `always`: say so wherever they stand; `person`: only in a sentence about somebody;
 * `never`: words that look like the others. `after`: a statement that the next words complete (من قبيلة …), how many is the number.
 */
export interface TermRow {
  readonly kind: Kind;
  readonly when: 'always' | 'person' | 'never';
  readonly phrases: string;
  /** Words after the phrase that belong to it. */
  readonly after?: number;
}

export const TERM_ROWS: readonly TermRow[] = [
  { kind: 'Health', when: 'person', phrases: MORE_CONDITIONS },
  { kind: 'Health', when: 'person', phrases: COMPLAINTS_TOLD },
  { kind: 'Health', when: 'person', phrases: MEDICINES },
  {
    kind: 'Health',
    when: 'person',
    phrases: 'حامل في الشهر|حامل بالشهر|في شهرها|نقص في فيتامين|نقص فيتامين',
    after: 1,
  },
  {
    kind: 'Health',
    when: 'always',
    phrases: 'خمول في الغدة|خمول بالغدة|مشاكل في الغدة|عنده حرارة|عندها حرارة|عندي حرارة|عنده كحة|عندها كحة',
  },
  {
    kind: 'Health',
    when: 'person',
    phrases:
      'fractured his|fractured her|fractured my|broke his|broke her|broke my|sprained his|sprained her|sprained my|dislocated his|dislocated her|dislocated my|injured his|injured her|injured my|tore his|tore her|tore my',
    after: 1,
  },
  {
    kind: 'Health',
    when: 'never',
    phrases:
      'broke my phone|broke his phone|broke her phone|broke my screen|broke my router|broke my laptop|broke my car|broke my heart|broke his promise|broke her promise|broke my trust|tore my shirt|tore my bag',
  },
  { kind: 'Health', when: 'person', phrases: SUFFERINGS, after: 2 },
  {
    kind: 'Criminal Record',
    when: 'always',
    phrases:
      'سابقة تزوير|سابقة سرقة|سابقة مخدرات|سابقة جنائية|سابقة أمنية|سابقة احتيال|سابقة نصب|عليه بلاغ تغيب|بلاغ هروب|هروب من العمل|حكم نهائي بالسجن|سجن ستة أشهر|قضى محكوميته|أوقفته الشرطة|أوقف لدى الشرطة|على قائمة الممنوعين من السفر|مطلوب أمنيا|صدر بحقها حكم|صدر ضده حكم|حيازة مخدرات|ترويج مخدرات|تعاطي مخدرات|قضية شيكات|قضية اختلاس|اختلاس|convicted for|found guilty|embezzlement|served two years|served three years|served six months|out on bail|on bail|restraining order|shoplifting|drunk driving|drug trafficking|money laundering conviction|fraud conviction|spent conviction',
  },
  {
    kind: 'Government Secret',
    when: 'always',
    phrases:
      'classified secret|classified top secret|classified confidential|classified restricted|مصنف على أنه سري|مصنفة على أنها سرية|مصنف سري جدا|سري ومحظور',
  },
  {
    kind: 'Health',
    when: 'person',
    phrases: `سكري|السكري|سكر|سكر مرتفع|ضغط|ضغط دم|ضغط الدم|ارتفاع الضغط|ارتفاع ضغط الدم|ضغط مرتفع|الضغط|سرطان|سرطان الثدي|سرطان القولون|ورم|أورام|كيماوي|علاج كيماوي|إيدز|الإيدز|نقص المناعة|التهاب الكبد|التهاب كبد وبائي|فيروس كبدي|ربو|الربو|صرع|الصرع|اكتئاب|الاكتئاب|قلق مزمن|اضطراب القلق|نوبات هلع|فصام|انفصام|
      ثنائي القطب|توحد|التوحد|فرط حركة|متلازمة داون|زهايمر|الزهايمر|باركنسون|جلطة|جلطة قلبية|ذبحة صدرية|قلب|القلب|مرض القلب|مشاكل في القلب|فشل كلوي|غسيل كلوي|غسيل كلى|الكلى|كبد|الكبد|حامل|حمل|إجهاض|عقم|منوم|حساسية|حساسية البنسلين|كورونا|كوفيد|ملاريا|درن|السل|روماتيزم|غدة درقية|الغدة|صدفية|بهاق|هشاشة العظام|كسر|
      كسر في|عملية قلب|عملية جراحية|قسطرة|زراعة كلى|أنيميا|فقر دم|فقر الدم|أنيميا منجلية|ثلاسيميا|تلاسيميا|إدمان|مدمن|إعاقة|إعاقة حركية|معاق|شلل|شلل نصفي|أنسولين|إنسولين|أدوية نفسية|مضاد اكتئاب|دواء الضغط|أدوية القلب|مرض مزمن|أمراض مزمنة|مرض نفسي|أمراض نفسية|مرض وراثي|ديسك|انزلاق غضروفي|قرحة|القولون العصبي|صداع نصفي|
      نزيف|التهاب رئوي|بواسير|سمنة|سمنة مفرطة|تكيس المبايض|سكري الحمل|كوليسترول|الكوليسترول|زائدة دودية|جدري|هربس|تصلب لويحي|التصلب المتعدد|ذئبة|بهجت|نقرس|الصمم|عمى ألوان|العمى|ضعف السمع|ضعف النظر|التهاب المفاصل|حصى الكلى|حصوة|حصوات|المرارة|فتق|دوالي|إكزيما|أكزيما|جرثومة المعدة|ارتجاع|ارتجاع المريء|قصور الغدة|نشاط الغدة|ضعف عضلة القلب|تليف|تليف الكبد|سيولة الدم|تجلط|وسواس|وسواس قهري|الوسواس|رهاب|رهاب اجتماعي|سكتة|سكتة دماغية|غيبوبة|قيصرية|ولادة قيصرية|بتر|كرسي متحرك|زراعة كبد|مخدرات|علاج نفسي|جلسات نفسية|طبيب نفسي|طبيبة نفسية|الشقيقة|ماء أبيض|ماء أزرق|جلوكوما|التهاب السحايا|سرطان الدم|لوكيميا|سرطان الرئة|سرطان البروستاتا|بهاق|ثعلبة|عقم|طفل أنابيب|أطفال أنابيب|متلازمة|ضمور|شلل دماغي|صعوبات تعلم|تخلف عقلي|فرط نشاط|ذهان|هوس|انتحار|محاولة انتحار|أدوية سيولة|كورتيزون|
      مشلول|مشلولة|كفيف|كفيفة|أصم|صماء|أعمى|عمياء|معاقة|مكتئب|مكتئبة|مدمنة|كلى|مصاب بالكلى|مريض نفسيا|فاقد البصر|ضعيف السمع|جلطة بالقلب|عملية بالقلب|السرطان|العقم|الفشل الكلوي|ألم في الصدر|آلام في الصدر|ضيق في التنفس|ضيق تنفس|خفقان|chest pain|chest pains|shortness of breath|palpitations|diabetes|diabetic|type 2 diabetes|type 1 diabetes|cancer|breast cancer|leukemia|leukaemia|lymphoma|tumor|tumour|chemotherapy|chemo|radiotherapy|hiv|hiv positive|aids|hepatitis|hepatitis b|hepatitis c|asthma|asthmatic|epilepsy|epileptic|seizures|depression|depressed|clinical depression|anxiety disorder|anxiety|panic attacks|schizophrenia|bipolar|bipolar disorder|autism|
      autistic|adhd|down syndrome|alzheimer|alzheimers|dementia|parkinson|parkinsons|stroke|heart attack|heart disease|heart condition|heart failure|heart surgery|kidney failure|kidney disease|dialysis|kidney transplant|liver disease|cirrhosis|pregnant|pregnancy|miscarriage|infertility|abortion|allergic to|allergy|covid|covid positive|malaria|tuberculosis|arthritis|thyroid|psoriasis|
      vitiligo|osteoporosis|fracture|surgery|anemia|anaemia|sickle cell|sickle cell anemia|thalassemia|addiction|addict|rehab|disability|disabled|wheelchair|paralysed|paralyzed|insulin|antidepressant|antidepressants|hypertension|high blood pressure|blood pressure|chronic illness|chronic disease|mental illness|mental health issues|ulcer|migraine|migraines|pneumonia|obesity|
      high cholesterol|cholesterol|appendicitis|herpes|multiple sclerosis|lupus|gout|blindness|eating disorder|ptsd|std|ivf|pcos|kidney stones|gallstones|hernia|eczema|gastritis|acid reflux|ocd|insomnia|phobia|concussion|coma|c section|caesarean|amputation|amputee|transplant|liver transplant|arrhythmia|angina|copd|bronchitis|endometriosis|crohn disease|crohns|crohn s disease|colitis|celiac|anorexia|bulimia|dyslexia|cerebral palsy|paralysis|melanoma|glaucoma|cataract|deaf|hearing loss|syphilis|gonorrhea|chlamydia|dengue|hemophilia|haemophilia|sleep apnea|fibromyalgia|suicidal|suicide attempt|suicide|overdose|self harm|medical condition|therapy sessions|psychiatrist|psychiatric treatment|psychosis|lung cancer|colon cancer|prostate cancer|skin cancer|brain tumor|brain tumour|heart bypass|bypass surgery|pacemaker|spina bifida|cystic fibrosis|parkinson s|alzheimer s|alzheimer s disease|parkinson s disease|down s syndrome|mentally ill|alcoholic|alcoholism|drug addiction|obese|metformin|prozac|xanax|lithium|blood test results|hypothyroidism|hyperthyroidism|hypoglycemia|hyperlipidemia|ihd|cad|ckd|dm|htn|gerd|ibs|uti|dvt|pulmonary embolism|sepsis|cellulitis|neuropathy|retinopathy|nephropathy|atrial fibrillation|myocardial infarction|hemorrhoids|varicose veins|sciatica|herniated disc|slipped disc|scoliosis|meningitis|encephalitis|hydrocephalus|tonsillitis|sinusitis|psychotic|delusions|hallucinations|self harming|borderline personality|narcolepsy|tourette|scabies|ringworm|hpv|chickenpox|measles|mumps|shingles|lymph node|metastasis|metastatic|benign tumor|malignant|biopsy|mastectomy|hysterectomy|vasectomy|colonoscopy|angioplasty|stent|knee replacement|hip replacement|fertility treatment|miscarried|stillbirth|postpartum depression|menopause|erectile dysfunction|hearing aid|visually impaired|hard of hearing|prosthetic leg|warfarin|methadone|ritalin|adderall|sertraline|fluoxetine|zoloft|insulin pump|inhaler|blood thinner|blood thinners|immunosuppressed|immunocompromised|terminally ill|bedridden`,
  },
  {
    kind: 'Health',
    when: 'always',
    phrases:
      'blood type|allergic to|عنده حساسية من|عندها حساسية من|عندي حساسية من|حساسية من|فصيلة دمي|فصيلة دمه|فصيلة دمها|فصيلة الدم|زمرة الدم|فصيلة دم المريض|my blood type is|blood group',
    after: 2,
  },
  {
    kind: 'Health',
    when: 'always',
    phrases:
      'زوجي مقعد|أبوي مقعد|والدي مقعد|ولدي مقعد|أمي مقعدة|والدتي مقعدة|مقعد على كرسي|ورم خبيث|ورم حميد|malignant tumor|malignant tumour|hiv positive|مصاب بالإيدز|مصاب بالسكري|مصابة بالسكري|مريض سكري|مريض سكر|مريضة سكر|مريض قلب|مريض كلى|مريضة سرطان|مريض سرطان|مريض نفسي|مريضة نفسية',
  },
  { kind: 'Health', when: 'always', phrases: 'diagnosed with|was diagnosed with|شخصت ب|تم تشخيصي ب', after: 2 },
  {
    kind: 'Health',
    when: 'always',
    phrases:
      'hypertension|htn|ckd|t2dm|ihd|hyperlipidemia|hypothyroidism|hyperthyroidism|epilepsy|schizophrenia|bipolar disorder|hepatitis b|hepatitis c|rheumatoid arthritis|multiple sclerosis|atrial fibrillation|myocardial infarction|pulmonary embolism|فشل كلوي|فصام|ثنائي القطب|التهاب الكبد الوبائي|تصلب لويحي|ذبحة صدرية|التهاب رئوي|جلطة دماغية|سكتة دماغية',
  },
  {
    kind: 'Genetic',
    when: 'always',
    phrases: `طفرة في جين|طفرة بجين|خلل في جين|mutation in gene`,
    after: 1,
  },
  {
    kind: 'Genetic',
    when: 'always',
    phrases: `طفرة جينية|طفرة وراثية|حامل جين|حامل لجين|حامل للمرض|حامل لمرض|حاملة للجين|حاملة لجين|brca|brca gene|gene mutation|genetic mutation|genetic disorder|carrier of gene|carrier of the gene|genome sequence|my genome|my dna|his dna|her dna|his dna results|her dna results|my dna results|his dna result|dna results|dna result|dna profile|نتيجة الحمض النووي|نتائج الحمض النووي|بصمة وراثية|بصمتي الوراثية|نتيجة الفحص الجيني|نتيجة فحص الجينات|نتيجة التحليل الوراثي`,
  },
  {
    kind: 'Genetic',
    when: 'person',
    phrases: `حمض نووي|تحليل الحمض النووي|فحص الحمض النووي|فحص جيني|تحليل جيني|تحليل الجينات|فحص الجينات|جينات|جيناتي|مرض وراثي|أمراض وراثية|فحص وراثي|تحليل وراثي|خريطة جينية|دي إن إيه|dna|dna test|genetic test|genetic testing|genetic screening|genetic condition|genetic disease|genome|genetic profile|genetic code|hereditary disease|chromosome|karyotype|chromosomal abnormality|carrier screening|genetic predisposition|inherited gene|gene|جين|الجين|خريطتي الجينية|الخريطة الجينية|شجرة جينية|متلازمة وراثية|فحص ما قبل الزواج|sequencing results|genome sequencing`,
  },
  {
    kind: 'Biometric',
    when: 'person',
    phrases: `بصمة|بصمة إصبع|بصمة الإصبع|بصمة إصبعي|بصمات|بصمات أصابع|بصمات أصابعي|بصمة العين|بصمة عيني|بصمة عين|بصمة الوجه|بصمة وجهي|بصمة وجه|بصمة الصوت|بصمة صوتي|بصمة صوت|قزحية|قزحية العين|قزحية عيني|صورة وجهي|سمات حيوية|بياناتي الحيوية|بيانات حيوية|fingerprint|fingerprints|thumbprint|thumb print|palm print|iris scan|iris|retina scan|
      retinal scan|face scan|facial scan|face id template|face template|facial recognition data|facial recognition|faceprint|voiceprint|voice print|biometric|biometrics|biometric data|biometric template|hand geometry`,
  },
  {
    kind: 'Biometric',
    when: 'always',
    phrases: `صورة وجهي|صورة وجهه|صورة وجهها|بصماتي|بصماته|بصماتها|بصمتي|بصمته|بصمتها|بصمة إصبعي|بصمة اصبعه|بصمات أصابعي|بصمات أصابعه|بصمة عيني|بصمة وجهي|بصمة صوتي|بصمة صوته|بصمة وجهه|قزحية عيني|بياناتي الحيوية|سماتي الحيوية|بياناته الحيوية|my biometrics|my fingerprint|my fingerprints|my voiceprint`,
  },
  {
    kind: 'Religion or Belief',
    when: 'always',
    phrases: `أنا مسلم|أنا مسلمة|أنا مسيحي|أنا مسيحية|أنا نصراني|أنا يهودي|أنا هندوسي|أنا بوذي|أنا ملحد|أنا ملحدة|أنا شيعي|أنا سني|أنا صوفي|هو مسيحي|هي مسيحية|هو شيعي|هو ملحد|شيعي المذهب|سني المذهب|مسيحي الديانة|مسلم الديانة|مسلمة الديانة|مسيحية الديانة|هندوسي الديانة|يعتنق الإسلام|اعتنق الإسلام|اعتنقت الإسلام|اعتنق المسيحية|اعتنقت المسيحية|ارتد عن الإسلام|ارتد عن الدين|
      i am muslim|i am a muslim|i m muslim|i m a muslim|i am christian|i am a christian|i m christian|i m a christian|i am catholic|i am a catholic|i m catholic|i am jewish|i m jewish|i am hindu|i m hindu|i am a hindu|i am buddhist|i m buddhist|i am an atheist|i m an atheist|i am atheist|i am sunni|i m sunni|i am shia|i m shia|i am a shia|he is christian|she is christian|he is muslim|she is muslim|he is jewish|she is jewish|
      he is hindu|she is hindu|he is shia|she is shia|he is an atheist|she is an atheist|he is a christian|she is a christian|he is a muslim|she is a muslim|converted to islam|converted to christianity|left islam|shia muslim|sunni muslim|practicing muslim|practising catholic|devout muslim|devout christian|devout catholic`,
  },
  {
    kind: 'Religion or Belief',
    when: 'always',
    phrases:
      'ديانتي|ديانته|ديانتها|ديانة العميل|ديانة المريض|ديانة الموظف|مذهبي|مذهبه|مذهبها|عقيدتي|معتقدي الديني|معتقداتي|الديانة|my religion is|his religion is|her religion is|my religion|his religion|her religion|religious affiliation|religion|my faith is|my sect is',
    after: 1,
  },
  {
    kind: 'Religion or Belief',
    when: 'person',
    phrases:
      'مسيحي|مسيحية|نصراني|نصرانية|يهودي|يهودية|هندوسي|هندوسية|بوذي|بوذية|درزي|درزية|بهائي|بهائية|سيخي|إباضي|لا ديني|ملحد|ملحدة|شيعي|شيعية|سني|سنية|صوفي|إسماعيلي|زيدي المذهب|christian|catholic|protestant|jewish|hindu|buddhist|sikh|atheist|shia|sunni|shiite|muslim|ismaili',
  },
  {
    kind: 'Religion or Belief',
    when: 'always',
    phrases: `معارض سياسي|معارض للحكومة|انتمائي السياسي|انتماؤه السياسي|آرائي السياسية|آراؤه السياسية|ميولي السياسية|توجهي السياسي|ينتمي لحزب|أنتمي لحزب|ينتمي للإخوان|ليبرالي الفكر|شيوعي|يساري الفكر|علماني الفكر|political views|political opinion|political opinions|political belief|political beliefs|political affiliation|my politics|party supporter|communist|opposition supporter|political dissident`,
  },
  {
    kind: 'Criminal Record',
    when: 'always',
    phrases: `سوابق|سوابق جنائية|صحيفة سوابق|سابقة جنائية|سوابقه|محكوم عليه|حكم عليه|حكم علي|محكوم بالسجن|حكم بالسجن|حكم عليه بالسجن|انسجنت|سجنت|انسجن|كنت مسجون|كان مسجون|مسجون|سجين سابق|أدين بتهمة|أدين|مدان|مدان بتهمة|متهم بالسرقة|متهم في قضية|متهم ب|قضية جنائية|قضية مخدرات|قضية سرقة|قضية تزوير|قضية احتيال|قضية قتل|قضية رشوة|قضية غسيل أموال|قضية ابتزاز|قضية إرهاب|قضية نصب|قضية أخلاقية|قضية تحرش|صدر بحقه حكم|صدر حكم بحقه|أمر قبض|عليه أمر قبض|مطلوب للشرطة|ممنوع من السفر|منع من السفر|توقيف|تم القبض|تم القبض عليه|تم توقيفه|اعتقل|اعتقلوه|تم اعتقاله|هارب من العدالة|خريج سجون|موقوف على ذمة|قبض عليه|قبض علي|قبضوا عليه|مطلوب أمنيا|مطلوب للجهات الأمنية|مطلوب أمني|قضية أمنية|سجل جنائي|سجل إجرامي|سجله الجنائي|سجلي الجنائي|
      خرج من السجن|طلع من السجن|دخل السجن|دخلت السجن|في السجن|criminal record|criminal history|criminal conviction|convicted of|was convicted|been convicted|convicted|felony|felon|misdemeanor|was arrested|been arrested|arrested for|got arrested|arrested|in prison|in jail|went to jail|went to prison|served time|served in prison|prison sentence|sentenced to|on parole|on probation|ex convict|charged with|wanted by police|wanted by the police|security clearance|police record|prior convictions|prior conviction|previous conviction|under investigation|drug charges|fraud charges|theft charge|theft charges|watch list|watchlist|travel ban|outstanding warrant|arrest warrant|jailed|imprisoned|detained|guilty of|pleaded guilty|dui|money laundering case|drug possession|assault charge|parole officer`,
  },
  {
    kind: 'Criminal Record',
    when: 'always',
    phrases:
      'حكم عليه بالسجن|حكم علي بالسجن|متهم ب|متهم في|أدين ب|convicted of|was convicted of|been convicted of|were convicted of|arrested for|was arrested for|been arrested for|got arrested for|charged with|was charged with|sentenced to|was sentenced to',
    after: 2,
  },
  {
    kind: 'Parentage',
    when: 'always',
    phrases: `مجهول الأبوين|الأم مجهولة|الأب مجهول|أبوه مجهول|أبوها مجهول|والده مجهول|والدها مجهول|مجهولة الأبوين|مجهول الأب|مجهولة الأب|مجهولة الأم|مجهولة الوالدين|مجهول الأم|مجهول النسب|مجهولة النسب|مجهول الوالدين|مجهولي الأبوين|لقيط|لقيطة|لا يعرف والديه|لا يعرف أبويه|من ذوي الظروف الخاصة|unknown parents|unknown parentage|parents are unknown|father is unknown|father unknown|unknown father|mother is unknown|mother unknown|unknown mother|foundling|of unknown parentage|parents unknown`,
  },
  {
    kind: 'Ethnic or Tribal Origin',
    when: 'always',
    phrases:
      'أصلي|أصلنا|أصلهم|أصولها|من قبيلة|قبيلتي|قبيلته|قبيلتها|من قبائل|أنتمي لقبيلة|ينتمي لقبيلة|ينتمي إلى قبيلة|من عرق|عرقي|عرقه|أصله|أصلها من|أصولي|أصوله|من أصول|من أصل|اصله من|tribe of|from the tribe|my tribe is|his tribe is|from tribe|belongs to the tribe of|member of the tribe|my ethnicity is|his ethnicity is|her ethnicity is|ethnicity is|ethnicity|ethnic origin|ethnic background|my race is|of african descent|racial origin|tribal origin',
    after: 2,
  },
  {
    kind: 'Ethnic or Tribal Origin',
    when: 'person',
    phrases:
      'قبيلي|قبيلية|خضيري|كردي|كردية|أكراد|حضرمي|حضرمية|حضارم|بخاري|بخارية|تركماني|تركمانية|شركسي|شركسية|أمازيغي|أمازيغية|بلوشي|بلوشية|هوساوي|هوساوية|فلاتي|برناوي|بخاري الأصل|تركستاني الأصل|روهينجا|روهينغا|روهنجي|بورمي|برماوي|برماوية|أويغوري|نوبي|نوبية|أورومو|أمهري|بشتوني|بنجابي|بنغالي الأصل|تاميلي|أرمني|أرمنية|آشوري|غجري|غجرية|شيشاني|داغستاني|أوزبكي|طاجيكي|تتري|صلبي|صلبية|هتيمي|من البدون|kurd|pashtun|baloch|berber|rohingya|uyghur|uighur|hausa|fulani|yoruba|igbo|oromo|amhara|tigrayan|nubian|turkmen|turkoman|chechen|armenian|assyrian|roma|gypsy|punjabi|sindhi|bengali|tamil|sinhalese|sinhala|malayali|malay|javanese|tagalog|ilocano|visayan|uzbek|tajik|kazakh|tatar|bukharan|amazigh|tuareg|hazara|circassian|bedouin|african origin|of african origin|of indian origin|of turkish origin|of persian origin|kurdish|ethnic|من أصول أفريقية|أفريقي الأصل|هندي الأصل|تركي الأصل|بدوي',
  },
  {
    kind: 'Association Membership',
    when: 'always',
    phrases:
      'member of the teachers union|member of the workers union|member of the engineers union|member of the nurses union|member of the doctors union|member of the journalists union|عضو في نقابة|عضو نقابة|عضوة في نقابة|عضو في جمعية|عضو جمعية|عضوة في جمعية|عضو في حزب|عضو في اتحاد|عضو في الحزب|أنتمي إلى جمعية|منتسب لجمعية|منتسب لنقابة|union member|member of union|member of the union|trade union member|trade union|labour union|labor union|member of a union|member of the association|member of an association|member of the party|party member|member of a party|union membership',
    after: 2,
  },
  {
    kind: 'Association Membership',
    when: 'person',
    phrases: `نقابة المهندسين|نقابة المحامين|نقابة الصحفيين|نقابة المعلمين|نقابة الأطباء|نقابة العمال|اتحاد العمال|teacher union|teachers union|worker union|workers union|engineers union|journalists union|doctors union|nurses union|drivers union|pilots union|labour party|communist party|muslim brotherhood|الإخوان المسلمين`,
  },
  {
    kind: 'Association Membership',
    when: 'never',
    phrases:
      'كل عضو في|كل عضوة في|أي عضو في|لكل عضو في|every member of|each member of|any member of|become a member of|sales tribe of|product tribe of|platform tribe of|berber carpet|berber rug',
  },
  {
    kind: 'Criminal Record',
    when: 'never',
    phrases:
      'المتهم في القضية|المتهم بريء|charged with the cable|charged with the charger|charged with a charger|charged with vat|charged with a fee|charged with interest|convicted felon movie',
  },
  {
    kind: 'Health',
    when: 'never',
    phrases: `إعاقة بالنظام|إعاقة في النظام|إعاقة الحركة|إعاقة المرور|خالي من السكر|خالية من السكر|قليل السكر|سكر أبيض|سكر بني|سكر القصب|كيلو سكر|ملعقة سكر|حمل الحقائب|حمل الأثقال|ضغط العمل|ضغط عمل|ضغط الشغل|ضغط شغل|ضغط الوقت|ضغط الهواء|الضغط الجوي|ضغط الماء|ضغط الإطارات|الضغط على|ضغط على|من كل قلبي|من القلب|قلب المدينة|قلب الرياض|قلب جدة|كسر الصيام|كسر الزجاج|كسر الشاشة|كسر القفل|حمل زائد|حمل كهربائي|سكر بدون|سكر زيادة|بدون سكر|حساسية الموضوع|حساسية المعلومات|
      pregnancy test|pregnancy test kit|allergy season|stroke of|blood pressure monitor|blood pressure device|work pressure|heart of|surgery hours|anxiety about|covid vaccine|covid rules|flu vaccine`,
  },
  {
    kind: 'Government Secret',
    when: 'always',
    phrases: `سري للغاية|سري جدا|سري وعاجل|سري وهام|سرية للغاية|وثيقة سرية|وثائق سرية|خطاب سري|برقية سرية|تعميم سري|محضر سري|تقرير سري|معلومات مصنفة|وثيقة مصنفة|معلومات سرية للدولة|أسرار الدولة|سر من أسرار الدولة|مصنف سري|مصنفة سرية|مصنف سري للغاية|تصنيف سري|درجة السرية|محظور النشر|للاستخدام الرسمي فقط|مقيد التداول|مقيدة التداول|مقيدة الاطلاع|محظورة النشر|
      top secret|classified information|classified document|classified documents|classified material|classified report|state secret|state secrets|government secret|official secret|secret document|secret memo|secret cable|restricted document|restricted distribution|noforn|eyes only|for official use only|classification secret|classification top secret|classification restricted|classification confidential|classified as secret|classified as top secret|marked secret|marked as secret|marked restricted|marked confidential|marked top secret`,
  },
  { kind: 'Criminal Record', when: 'person', phrases: CRIMINAL },
  { kind: 'Criminal Record', when: 'always', phrases: CRIMINAL_ALWAYS },
  { kind: 'Parentage', when: 'always', phrases: PARENTAGE },
  { kind: 'Religion or Belief', when: 'person', phrases: BELIEF },
  { kind: 'Religion or Belief', when: 'always', phrases: BELIEF_ALWAYS },
  { kind: 'Biometric', when: 'person', phrases: BIOMETRIC },
  { kind: 'Biometric', when: 'always', phrases: BIOMETRIC_ALWAYS },
  { kind: 'Genetic', when: 'person', phrases: GENETIC },
  { kind: 'Genetic', when: 'always', phrases: GENETIC_ALWAYS },
  { kind: 'Criminal Record', when: 'never', phrases: CRIMINAL_NEVER },
  { kind: 'Religion or Belief', when: 'never', phrases: BELIEF_NEVER },
  { kind: 'Genetic', when: 'never', phrases: GENETIC_NEVER },
  { kind: 'Biometric', when: 'never', phrases: BIOMETRIC_NEVER },
  { kind: 'Health', when: 'never', phrases: COMPLAINTS_NEVER },
];
