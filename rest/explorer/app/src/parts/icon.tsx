// Icons, drawn with one stroke in a square of 24 units.
const paths = {
  call: 'M8 6 3 12l5 6M16 6l5 6-5 6', chip: 'M7 7h10v10H7zM10 3v4M14 3v4M10 17v4M14 17v4M3 10h4M3 14h4M17 10h4M17 14h4',
  coin: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M9 9.5h6M12 9.5V16', drop: 'M12 4s6 6.4 6 10.3a6 6 0 0 1-12 0C6 10.4 12 4 12 4',
  flame: 'M12 3c1 4 5 5.5 5 10.5a5 5 0 0 1-10 0c0-2 1-3.5 2-4.5 0 2 1 3 2 3 0-3-1-5 1-9', gavel: 'm9 5 6 6M6.5 7.5l6 6M10.7 10.3 4 17l2.5 2.5 6.7-6.7M13 20h8',
  gear: 'M12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7M12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.2 2.2M16.2 16.2l2.2 2.2M18.4 5.6l-2.2 2.2M7.8 16.2l-2.2 2.2',
  globe: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M4 12h16M12 4c3 3 3 13 0 16M12 4c-3 3-3 13 0 16', image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9h.01',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3', pen: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3', plus: 'M12 5v14M5 12h14', repeat: 'M5 11V9a3 3 0 0 1 3-3h10M15 3l3 3-3 3M19 13v2a3 3 0 0 1-3 3H6M9 21l-3-3 3-3',
  send: 'M5 19 19 5M9 5h10v10', swap: 'M4 9h14M14 5l4 4-4 4M20 15H6M10 11l-4 4 4 4', tag: 'M4 4h8l8 8-8 8-8-8zM8.5 8.5h.01', vote: 'M5 12v8h14v-8M8 9l3 3 6-7',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1', done: 'm5 12.5 4.5 4.5L19 7.5', search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M20 20l-4.8-4.8', shield: 'M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6zM9 12l2 2 4-4',
};

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: string }) {
  return <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d={paths[name as IconName] ?? paths.call} /></svg>;
}
