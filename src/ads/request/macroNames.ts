// SPDX-License-Identifier: Apache-2.0
// The names of the macros that are replaced in ad requests (requestVariables.ts has their values), for the server and for the console.

/** Macros whose value Midroll knows. */
const ownMacros = [
  'CACHEBUSTING',
  'CACHEBUSTER',
  'CACHE_BUSTER',
  'RANDOM',
  'TIMESTAMP',
  'TRANSACTIONID',
  'DEVICEIP',
  'DEVICEUA',
  'SERVERUA',
  'SERVERSIDE',
  'PLACEMENTTYPE',
  'BREAKPOSITION',
  'BREAKMAXDURATION',
  'BREAKMAXADLENGTH',
  'BREAKMINADLENGTH',
  'BREAKMAXADS',
  'ADCOUNT',
  'ADTYPE',
  'MEDIAMIME',
  'APIFRAMEWORKS',
  'VASTVERSIONS',
  'SESSION_ID',
  'CHANNEL_ID',
  'BREAK_ID',
  'BREAK_START',
  'BREAK_DURATION',
  'BREAK_MAX_ADS',
  'BREAK_CONTENT_TIME',
] as const;
export type OwnMacro = (typeof ownMacros)[number];

const own: ReadonlySet<string> = new Set(ownMacros);

/** @param name in upper case */
export const isOwnMacro = (name: string): name is OwnMacro => own.has(name);

/** Macros whose value only the player knows: the session parameter of the same name, in any case. */
export const FROM_PLAYER = new Set(
  (
    'ADCATEGORIES APPBUNDLE BLOCKEDADCATEGORIES CLICKTYPE CLIENTUA CONTENTCAT CONTENTID CONTENTPLAYHEAD CONTENTURI ' +
    'DOMAIN DSAPARAMS DSAPUBRENDER DSAREQUIRED EXTENSIONS GDPRCONSENT GPPSECTIONID GPPSTRING IFA IFATYPE ' +
    'INVENTORYSTATE LATLONG LIMITADTRACKING MEDIAPLAYHEAD OMIDPARTNER PAGEURL PLAYBACKMETHODS PLAYERCAPABILITIES ' +
    'PLAYERSIZE REGULATIONS STOREID STOREURL VERIFICATIONVENDORS'
  ).split(' '),
);

/** By macro name in upper case, without a vendor number as in `${GDPR_CONSENT_755}`. */
const signals: Readonly<Record<string, string>> = {
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

/** The session parameter of a consent signal. @param macro in upper case */
export const signalOf = (macro: string): string | undefined =>
  signals[macro.replace(/^(GDPR_CONSENT|GPP_STRING)_\d+$/, '$1')];

/** Whether a macro of this name is replaced in ad requests, by a value that may be empty or unknown. */
export function isRequestMacro(name: string): boolean {
  const upper = name.toUpperCase();
  return isOwnMacro(upper) || FROM_PLAYER.has(upper) || upper.startsWith('PLAYER.') || signalOf(upper) !== undefined;
}
