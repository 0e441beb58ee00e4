import { JAVASCRIPT_VERIFIER } from "../../verifiers.ts"
import { askScript } from "./ask-script.ts"
import { reportScript } from "./report-script.ts"

/**
 * Script of the home page, without a build step. The report is verified with the verifier our own documentation
 * publishes, before its verdict is shown.
 */
export const homeScript = `
"use strict";
${JAVASCRIPT_VERIFIER}
const at = (id) => document.getElementById(id);
const element = (name, text = "", data = {}, className = "") => {
  const made = document.createElement(name);
  made.textContent = text;
  Object.assign(made.dataset, data);
  if (className) made.className = className;
  return made;
};
${reportScript}
${askScript}
`.trim()
