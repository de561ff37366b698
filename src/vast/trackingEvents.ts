// SPDX-License-Identifier: Apache-2.0
// The names of VAST's tracking events: those of VAST 4.2 (§3.14.1), those of earlier versions, and those of VMAP and of
// verifications.

const vast42Events = (
  'mute unmute pause resume rewind skip playerExpand playerCollapse loaded start firstQuartile midpoint ' +
  'thirdQuartile complete progress closeLinear creativeView acceptInvitation adExpand adCollapse minimize close ' +
  'overlayViewDuration otherAdInteraction interactiveStart'
).split(' ');

/** Events of VAST 2 and 3, with the names that replaced them in VAST 4 (VAST 4.2 §3.14.1). */
const successors: ReadonlyMap<string, string> = new Map([
  ['fullscreen', 'playerExpand'],
  ['exitFullscreen', 'playerCollapse'],
  ['expand', 'adExpand'],
  ['collapse', 'adCollapse'],
  ['acceptInvitationLinear', 'acceptInvitation'],
]);

/** Events without a VAST 4.2 equivalent, and those that occur outside of TrackingEvents of a creative. */
const otherEvents =
  'replay stop timeSpentViewing notUsed verificationNotExecuted breakStart breakEnd error impression'.split(' ');

const byLowerCase = new Map(
  [...vast42Events, ...successors.keys(), ...otherEvents].map((event) => [event.toLowerCase(), event]),
);
const writable = new Set(vast42Events);

/** An event name in VAST's spelling; undefined when VAST does not define it. */
export const canonicalEvent = (event: string): string | undefined => byLowerCase.get(event.toLowerCase());

/** The VAST 4.2 name of an event; undefined when VAST 4.2 has none. */
export function vast42Event(event: string): string | undefined {
  const name = successors.get(event) ?? event;
  return writable.has(name) ? name : undefined;
}
