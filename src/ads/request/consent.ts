// SPDX-License-Identifier: Apache-2.0
// Consent signals of a viewer. Players send them when they open a session, under the IAB's names for URLs (TCF 2.2 "URL-based
// services", US Privacy 1.0, GPP 1.1 "URL parameters"). Midroll passes them on without interpreting them: as macros, and as
// parameters of ad requests whose URL does not contain them.

/** The signals that every ad request must contain. */
const SIGNALS = ['gdpr', 'gdpr_consent', 'us_privacy', 'gpp', 'gpp_sid'].map((name) => ({
  name,
  inUrl: new RegExp(`[?&;]${name}=`, 'i'),
}));

/** By macro name in upper case, without a vendor number as in `${GDPR_CONSENT_755}`. */
const parameterOf: Readonly<Record<string, string>> = {
  GDPR: 'gdpr',
  GDPR_CONSENT: 'gdpr_consent',
  GDPRCONSENT: 'gdpr_consent',
  US_PRIVACY: 'us_privacy',
  GPP: 'gpp',
  GPP_STRING: 'gpp',
  GPPSTRING: 'gpp',
  GPP_SID: 'gpp_sid',
  GPPSECTIONID: 'gpp_sid',
  ADDTL_CONSENT: 'addtl_consent',
  COPPA: 'coppa',
};

/** The value of a session parameter. */
type ParameterLookup = (name: string) => string | undefined;

/** VAST's [REGULATIONS]: the regulations that the player states apply (AdCOM 1.0, "Regs"). */
function regulations(parameter: ParameterLookup): string | undefined {
  const applicable = ['coppa', 'gdpr'].filter((name) => parameter(name) === '1');
  return applicable.length === 0 ? undefined : applicable.join(',');
}

/**
 * @param macro in upper case
 * @param parameter a session parameter by name, in any case
 * @returns undefined for other macros, and when the player did not send the signal
 */
export function consentMacro(macro: string, parameter: ParameterLookup): string | undefined {
  if (macro === 'REGULATIONS') return regulations(parameter);
  const name = parameterOf[macro.replace(/^(GDPR_CONSENT|GPP_STRING)_\d+$/, '$1')];
  return name === undefined ? undefined : parameter(name);
}

/** The session's consent signals that a request URL does not contain. */
export function consentToAdd(url: string, parameter: ParameterLookup): [name: string, value: string][] {
  return SIGNALS.flatMap(({ name, inUrl }): [string, string][] => {
    const value = parameter(name);
    return value === undefined || value === '' || inUrl.test(url) ? [] : [[name, value]];
  });
}
