import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { useInstallation } from './api/installation.ts';
import icon from './icon.svg';
import { Button } from './parts/Button.tsx';
import { Icon, type IconName } from './parts/Icon.tsx';
import { Pitfall } from './parts/Pitfall.tsx';
import { ThemeButton } from './parts/ThemeButton.tsx';

const places: readonly (readonly [path: string, name: string, icon: IconName, also?: string])[] = [
  ['/', 'Channels', 'overview', '/channels'],
  ['/playlists', 'Playlists', 'playlist'],
  ['/sessions', 'Sessions', 'sessions'],
  ['/reports', 'Reports', 'reports'],
  ['/creatives', 'Creatives', 'creatives'],
  ['/systems', 'Systems', 'systems'],
  ['/keys', 'Keys', 'keys'],
];

const isWithin = (location: string, path: string): boolean => location === path || location.startsWith(`${path}/`);

const Brand = () => (
  <Link href="/" class="brand">
    <img src={icon} alt="" />
    Midroll
  </Link>
);

/** Where one can go, and what is there. */
export function Shell({ children, onLeave }: { readonly children: ComponentChildren; onLeave(): void }) {
  const [location] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const { tenant, email } = useInstallation();
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    setOpen(false);
    // A new page is read from its beginning, by eyes and by screen readers.
    if (!isFirst.current) main.current?.focus();
    isFirst.current = false;
    window.scrollTo(0, 0);
  }, [location]);
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <div class="top-bar">
        <Brand />
        <button
          type="button"
          class="button quiet bare"
          aria-expanded={isOpen}
          aria-controls="places"
          aria-label="Menu"
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'close' : 'menu'} />
        </button>
      </div>
      <nav id="places" class={isOpen ? 'open' : ''} aria-label="Console">
        <Brand />
        {places.map(([path, name, symbol, also]) => {
          const isHere = path === '/' ? location === '/' || isWithin(location, also!) : isWithin(location, path);
          return (
            <Link key={path} href={path} aria-current={isHere ? 'page' : undefined}>
              <Icon name={symbol} />
              {name}
            </Link>
          );
        })}
        <div class="who">
          {email}
          <br />
          {tenant}
        </div>
        <ThemeButton />
        <Button icon="out" onClick={onLeave}>
          Sign out
        </Button>
      </nav>
      <main ref={main} tabIndex={-1}>
        <Pitfall key={location}>{children}</Pitfall>
      </main>
    </div>
  );
}
