// SPDX-License-Identifier: Apache-2.0
// Who sends the beacon of an event. With `tracking: server`, the server sends the events that follow from playback; events that
// only a player can observe (clicks, mute, OMID) are left to the player. With `tracking: client`, the player sends all events.

export type EventSender = 'server' | 'player';

const playbackEvents = new Set(
  'impression loaded creativeView start firstQuartile midpoint thirdQuartile complete progress breakStart breakEnd'.split(
    ' ',
  ),
);

/** @param event of a linear ad or a break */
export const eventSender = (event: string, tracking: 'server' | 'client'): EventSender =>
  tracking === 'server' && playbackEvents.has(event) ? 'server' : 'player';
