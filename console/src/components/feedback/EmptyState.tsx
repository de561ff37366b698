// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from '../icons/Icon.tsx';

type EmptyStateProps = { readonly icon: IconName; readonly title: string; readonly children?: ComponentChildren };

/** Stands in for a list without entries, with the next step. */
export const EmptyState = ({ icon, title, children }: EmptyStateProps) => (
  <div class="empty">
    <Icon name={icon} />
    <h2>{title}</h2>
    {children}
  </div>
);
