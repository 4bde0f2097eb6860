/**
 * Given and family names that are understood without being named by the agent: common ones of Saudi Arabia and of English
 * speakers, as the pronouncing dictionary or spelling rules speak them. Other names come from the agent's phrases, or
 * are spelled.
 */
export const GIVEN_NAMES: readonly string[] =
  `aaron abdullah abdul abdulaziz abdulrahman adam ahmad ahmed aisha ali alice amal amanda amina amir amy andrew angela anna anthony
  ashley ayman aziz badr barbara ben benjamin bilal brian carol charles charlotte chris christopher daniel david deborah dina donald
  edward elizabeth emily emma eric fahad faisal farah farid fatima fatimah frank gary george hadi haifa hala hamad hamza hana hannah
  hassan helen henry hind huda hussain hussein ibrahim ismail jack jacob jamal james jane jason jassim jennifer jessica john jonathan
  joseph joshua julia karen karim kate kevin khaled khalid laila larry laura layla leila lina linda lisa lucas lucy mansour margaret
  maria mariam mark mary maryam matthew maya melissa michael michelle mohamed mohammad mohammed mona muhammad muna mustafa nada
  nadia nancy nasser nicholas noah noor nora noura olivia omar osama patricia patrick paul peter rachel rami rana rania rebecca reem
  richard robert ronald ruth ryan saad sabah sadiq saeed said salah saleh salem salma sam samantha samir samuel sandra sara sarah saud
  scott sharon smith johnson williams brown jones miller davis wilson taylor thomas moore sophia stephen steven sultan susan susanna
  talal tariq timothy tom turki waleed walid wael william yasmin yousef youssef yusuf zainab zaid zeinab`.split(/\s+/);
