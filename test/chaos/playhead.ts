// SPDX-License-Identifier: Apache-2.0
// What a player of a live stream would notice: it starts three target durations before the edge and stalls when it has played
// everything that was listed.

/** @param onStall receives the instants between which the player had nothing to play, in milliseconds since 1970 */
export function createPlayhead(target: number, onStall: (from: number, to: number) => void) {
  /** The instant on the timeline that is played, minus the clock. */
  let offset: number | undefined;
  let edge = 0;
  return {
    /** @param newEdge the end of what is listed, in milliseconds since 1970. @param now when it was received */
    listed(newEdge: number, now: number): void {
      offset ??= newEdge - 3000 * target - now;
      const missing = edge === 0 ? 0 : now + offset - edge;
      if (missing > 0) {
        onStall(now - missing, now);
        offset -= missing;
      }
      edge = Math.max(edge, newEdge);
    },
  };
}
