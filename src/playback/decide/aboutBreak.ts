// SPDX-License-Identifier: Apache-2.0
// What bid requests state about a break: the programme around it and the picture.
import { contentId } from '../../channels/contentId.ts';
import { withoutUndefined } from '../../invariant.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import type { BreakSpan } from '../../timeline/programme/span.ts';
import type { Airing } from '../onAir/airing.ts';
import type { StepsRequest } from '../request/requestSteps.ts';

type About = NonNullable<StepsRequest['about']>;

/** Pixels; nothing if the ladder has no picture. */
export function largestPicture({ rungs }: Ladder): Pick<About, 'size'> {
  const sizes = rungs.flatMap(({ width, height }) => (width && height ? [{ width, height }] : []));
  return sizes.length === 0 ? {} : { size: sizes.reduce((most, one) => (one.width > most.width ? one : most)) };
}

/** The id of the programme is that of LEAP. Slate would follow ads that leave a gap, so their lengths should add up. */
export const aboutBreak = ({ channel, ladder }: Airing, { border }: BreakSpan): About => ({
  content: { id: contentId(channel.id, border?.started?.id), ...withoutUndefined({ title: channel.name }) },
  ...largestPicture(ladder),
  isExact: true,
});
