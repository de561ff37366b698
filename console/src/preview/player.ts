// SPDX-License-Identifier: Apache-2.0
import type { PlayMessage } from './messages.ts';

/** A player of the preview, independent of its library. */
export type Player = {
  /** The position of the picture on the channel's clock; undefined while unknown. */
  pictureAt(): Date | null | undefined;
  /** Whether an ad plays in a video element of the player's own, while that of the content waits. */
  playsAdApart(): boolean;
  stop(): void;
};
export type PlayerReports = {
  error(text: string): void;
  /** What happens in a break whose ads the player inserts. */
  event(text: string): void;
};
export type OpenPlayer = (video: HTMLVideoElement, played: PlayMessage, reports: PlayerReports) => Promise<Player>;
