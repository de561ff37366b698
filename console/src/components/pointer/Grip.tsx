// SPDX-License-Identifier: Apache-2.0
import { Icon } from '../icons/Icon.tsx';
import type { DragHandlers } from './useDrag.ts';

type GripProps = { readonly handlers: DragHandlers; readonly place: string };

/** What an entry is dragged by. The keyboard has buttons that move it. */
export const Grip = ({ handlers, place }: GripProps) => (
  <span class="grip" title="Drag to move" {...handlers.grip(place)}>
    <Icon name="grip" />
  </span>
);
