// SPDX-License-Identifier: Apache-2.0
import { Link } from 'wouter-preact';

/** More are counted. */
export const LISTED = 5;

type ChannelLinksProps = {
  readonly channels: readonly { readonly id: string; readonly name?: string }[];
  readonly total?: number;
};

/** The settings of the channels that use an ad source. */
export const ChannelLinks = ({ channels, total = channels.length }: ChannelLinksProps) =>
  channels.length === 0 ? (
    <span class="muted">None</span>
  ) : (
    <>
      {channels.slice(0, LISTED).map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 ? ', ' : ''}
          <Link href={`/channels/${encodeURIComponent(id)}?tab=settings`}>{name || id}</Link>
        </span>
      ))}
      {total > LISTED ? ` and ${total - LISTED} more` : ''}
    </>
  );
