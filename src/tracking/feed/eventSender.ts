// Who calls a beacon. With `tracking: server` we do, for all that follows from playing alone; what only a player can know
// (a click, a mute, what OMID says) stays the player's. With `tracking: client` everything is.

export type EventSender = 'server' | 'player';

const followsFromPlaying = new Set(
  'impression loaded creativeView start firstQuartile midpoint thirdQuartile complete progress breakStart breakEnd'.split(
    ' ',
  ),
);

/** @param event of a linear ad or a break */
export const eventSender = (event: string, tracking: 'server' | 'client'): EventSender =>
  tracking === 'server' && followsFromPlaying.has(event) ? 'server' : 'player';
