// Places on the axis of a drawing, its ticks, and marks that stand too close to each other.

const WIDE = 10000;
const CLOSE = 15;

function geometry(width) {
  const narrow = width < 620;
  const left = narrow ? 12 : 150;
  const right = 22;
  return { width, narrow, left, right, x: (place) => left + ((width - left - right) * place) / WIDE };
}

function ticks(view, events, geo) {
  const many = geo.narrow ? 4 : 8;
  const total = view.us === null ? events : view.us;
  const step = niceStep(total / many);
  const made = [];
  for (let at = 0; at <= total; at += step) made.push([Math.min((at / Math.max(total, 1)) * WIDE, WIDE), view.us === null ? count(at) : duration(at)]);
  return made;
}

function niceStep(rough) {
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  return Math.max([1, 2, 5, 10].find((one) => one * power >= rough) * power, 1);
}

// Marks {x, ...} in the order of x, those closer than CLOSE pixels together.
function clustered(marks) {
  const groups = [];
  for (const mark of [...marks].sort((a, b) => a.x - b.x)) {
    const last = groups[groups.length - 1];
    if (last && mark.x - last[last.length - 1].x < CLOSE) last.push(mark);
    else groups.push([mark]);
  }
  return groups;
}

// Bars {from, to} in as few rows as do without overlap.
function stacked(bars) {
  const ends = [];
  for (const bar of bars) {
    let row = ends.findIndex((end) => end <= bar.from);
    if (row < 0) row = ends.length;
    ends[row] = Math.max(bar.to, bar.from + 6) + 2;
    bar.row = row;
  }
  return Math.max(ends.length, 1);
}

// The path of a density strip: `strip` holds how many events came in each column.
function densityPath(strip, from, to, base, height) {
  const most = Math.log1p(Math.max(...strip, 1));
  const step = (to - from) / strip.length;
  const tops = strip.map((number, at) => [from + at * step, number ? base - Math.max(1.5, (height * Math.log1p(number)) / most) : base]);
  return `M${from} ${base}${tops.map(([x, y]) => `L${x.toFixed(1)} ${y.toFixed(1)}L${(x + step).toFixed(1)} ${y.toFixed(1)}`).join("")}L${to} ${base}Z`;
}
