// SPDX-License-Identifier: Apache-2.0
// What playback needs of titles. Implemented in planning, which imports assets.
import type { VodChannel } from '../channels/channel.ts';
import type { ChannelRef } from '../channels/channelKey.ts';
import type { ContentItem } from '../channels/playlist.ts';
import type { Ladder } from '../timeline/ladder/ladder.ts';
import type { BreakPlan } from './breakPlan.ts';
import type { Title } from './title.ts';

export type RequestedContents =
  | { readonly state: 'found'; readonly contents: readonly ContentItem[] }
  /** The request is at fault. `message` continues the name of its parameter `content`. */
  | { readonly state: 'invalid'; readonly message: string }
  /** The channel is at fault. One sentence. */
  | { readonly state: 'unavailable'; readonly reason: string };

export type PreparedTitle =
  /** `plan` is undefined if the ad server names the breaks. `contents`: the items that are part of the title. */
  | {
      readonly state: 'ready';
      readonly title: Title;
      readonly contents: readonly ContentItem[];
      readonly plan: BreakPlan | undefined;
    }
  | { readonly state: 'importing' }
  /** For viewers: without anything about the sources. */
  | { readonly state: 'failed'; readonly reason: string };

export type TitleSource = {
  /** @param content `?content=`, which fills the placeholders of the channel's playlist */
  contentsOf(channel: VodChannel, content: string | undefined): Promise<RequestedContents>;
  /** Imports what is not imported yet. An import that takes longer than `budgetMs` continues. */
  prepare(channel: VodChannel, contents: readonly ContentItem[], budgetMs: number): Promise<PreparedTitle>;
  /** The title of imported assets. @returns undefined if one of them is no longer stored */
  find(assetKeys: readonly string[]): Promise<Title | undefined>;
  remember(channel: ChannelRef, title: Title): void;
  /** The ladders of titles of the channel that this process has prepared recently. */
  laddersOf(channel: ChannelRef): readonly Ladder[];
};
