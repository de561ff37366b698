// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { AlertBell, AlertCount, useFiring } from '../alerts/AlertBell.tsx';
import { useAlertToasts } from '../alerts/useAlertToasts.ts';
import { useInstallation } from '../api/installation.ts';
import { useMe } from '../api/me.ts';
import { Button } from '../components/buttons/Button.tsx';
import { Notice } from '../components/feedback/Notice.tsx';
import { Toasts } from '../components/feedback/Toasts.tsx';
import { HintText } from '../components/hints/HintText.tsx';
import { Icon } from '../components/icons/Icon.tsx';
import icon from '../components/icons/midroll.svg';
import { pages, unavailable } from '../navigation/pages.ts';
import { openPalette } from '../palette/paletteOpening.ts';
import { Shortcuts } from '../palette/Shortcuts.tsx';
import { Account } from './Account.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { ThemeButton } from './ThemeButton.tsx';
import { TimeZoneButton } from './TimeZoneButton.tsx';

const isWithin = (location: string, path: string): boolean => location === path || location.startsWith(`${path}/`);

const Brand = () => (
  <Link href="/" class="brand">
    <img src={icon} alt="" />
    Midroll
  </Link>
);

/** The navigation around a page. */
export function Shell({ children, onSignOut }: { readonly children: ComponentChildren; onSignOut(): void }) {
  const [location] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const me = useMe();
  const { degraded } = useInstallation();
  const firing = useFiring();
  useAlertToasts();
  const main = useRef<HTMLElement>(null);
  const isFirstPage = useRef(true);
  useEffect(() => {
    setOpen(false);
    // Screen readers start at the top of the new page.
    if (!isFirstPage.current) main.current?.focus();
    isFirstPage.current = false;
    window.scrollTo(0, 0);
  }, [location]);
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <div class="top-bar">
        <Brand />
        <AlertBell count={firing} />
        <button
          type="button"
          class="button quiet bare"
          aria-expanded={isOpen}
          aria-controls="navigation"
          aria-label="Menu"
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'close' : 'menu'} />
        </button>
      </div>
      <nav id="navigation" class={isOpen ? 'open' : ''} aria-label="Main">
        <Brand />
        <Button icon="search" onClick={openPalette}>
          Search <kbd>{/Mac|iP/.test(navigator.platform) ? '⌘K' : 'Ctrl K'}</kbd>
        </Button>
        {pages.map((page) => {
          const { path, title, icon: symbol } = page;
          const isCurrent =
            path === '/' ? location === '/' || isWithin(location, '/channels') : isWithin(location, path);
          const hint = unavailable(page, me);
          if (hint !== undefined)
            return (
              <HintText key={path} class="unavailable" hint={hint} isDisabled>
                <Icon name={symbol} />
                {title}
              </HintText>
            );
          return (
            <Link key={path} href={path} aria-current={isCurrent ? 'page' : undefined}>
              <Icon name={symbol} />
              {title}
              {path === '/alerts' ? <AlertCount count={firing} /> : null}
            </Link>
          );
        })}
        {me ? <Account me={me} /> : null}
        <TimeZoneButton />
        <ThemeButton />
        <Button icon="out" onClick={onSignOut}>
          Sign out
        </Button>
      </nav>
      <main ref={main} tabIndex={-1}>
        {degraded === undefined ? null : <Notice tone="warn">{degraded}</Notice>}
        <ErrorBoundary key={location}>{children}</ErrorBoundary>
      </main>
      <Toasts />
      <Shortcuts />
    </div>
  );
}
