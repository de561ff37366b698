// What a viewer has agreed to, as players say it when they open a session: under the names that the IAB gave these
// signals in URLs (TCF 2.2 "URL-based services", US Privacy 1.0, GPP 1.1 "URL parameters"). Midroll judges none of it and
// hands all of it on: as macros, and as parameters of the ad request where its URL forgets them.

/** Of those, what an ad server must hear whether its URL asks for it or not. */
const SIGNALS = ['gdpr', 'gdpr_consent', 'us_privacy', 'gpp', 'gpp_sid'] as const;

/** By the name of a macro in upper case, a vendor's number taken off: `${GDPR_CONSENT_755}`. */
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

type ParameterLookup = (parameter: string) => string | undefined;

/** VAST's [REGULATIONS]: those that the player says apply (AdCOM 1.0, "Regs"). */
function regulations(said: ParameterLookup): string | undefined {
  const named = ['coppa', 'gdpr'].filter((name) => said(name) === '1');
  return named.length === 0 ? undefined : named.join(',');
}

/**
 * @param macro in upper case
 * @param said a parameter of the session, whatever its case
 * @returns undefined for a macro about something else, and where the player has said nothing
 */
export function consentMacro(macro: string, said: ParameterLookup): string | undefined {
  if (macro === 'REGULATIONS') return regulations(said);
  const parameter = parameterOf[macro.replace(/^(GDPR_CONSENT|GPP_STRING)_\d+$/, '$1')];
  return parameter === undefined ? undefined : said(parameter);
}

/** What the session says and the request does not. @param url with its own parameters */
export function consentToAdd(url: string, said: ParameterLookup): [name: string, value: string][] {
  return SIGNALS.flatMap((name): [string, string][] => {
    const value = said(name);
    const isThere = new RegExp(`[?&;]${name}=`, 'i').test(url);
    return value === undefined || value === '' || isThere ? [] : [[name, value]];
  });
}
