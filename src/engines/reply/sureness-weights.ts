/** Weights of a logistic regression. Fitted by scripts/bench/reply-fit.mjs: change the evidence, not these. */
export const SURENESS = {
  bias: -1.723,
  score: 2.198,
  lead: 6.421,
  whole: 1.436,
  other: -1.878,
  coverLead: 0.463,
  strange: -0.239,
  denial: -0.037,
  asks: 0.633,
};
