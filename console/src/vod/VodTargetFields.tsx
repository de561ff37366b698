// SPDX-License-Identifier: Apache-2.0
import type { ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import { TextField } from '../components/forms/TextField.tsx';
import type { VodTarget } from './vodTarget.ts';

type VodTargetFieldsProps = {
  readonly channel: ChannelResponse;
  readonly target: VodTarget;
  /** Whether the playlist has a placeholder, or the channel has no playlist. */
  readonly hasPlaceholder: boolean;
  onChange(target: VodTarget): void;
};

const describeHosts = ({ contentHosts = [] }: ChannelResponse): string =>
  contentHosts.length === 0
    ? 'This channel has no content hosts. Add them under Settings.'
    : `Fills the placeholder. Allowed hosts: ${contentHosts.join(', ')}.`;

/** What sessions play, and from where: for the preview, the URLs and the view response. */
export const VodTargetFields = ({ channel, target, hasPlaceholder, onChange }: VodTargetFieldsProps) => (
  <section class="card vod-target" aria-label="Content">
    {hasPlaceholder ? (
      <TextField
        label="Content URL"
        type="url"
        value={target.content}
        placeholder="https://media.example.com/film/master.m3u8"
        hint={describeHosts(channel)}
        onInput={(content) => onChange({ ...target, content })}
      />
    ) : null}
    <TextField
      label="Start (s)"
      inputMode="decimal"
      value={target.start}
      hint="Seconds of content to skip."
      onInput={(start) => onChange({ ...target, start })}
    />
  </section>
);
