import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './Icon.tsx';

type EmptyProps = { readonly icon: IconName; readonly title: string; readonly children?: ComponentChildren };

/** What a place says that has nothing to show yet, and what to do about it. */
export const Empty = ({ icon, title, children }: EmptyProps) => (
  <div class="empty">
    <Icon name={icon} />
    <h2>{title}</h2>
    {children}
  </div>
);
