// The drawing of a board. It knows points and stones, and nothing of the page
// around it: with dom.js of package tournament/report and board.css it can be used
// by others. Package diagram draws the same in Go.

// parsePoints reads moves such as h8i7.
function parsePoints(text) {
  const list = [];
  for (const [, letters, digits] of text.matchAll(/([a-z]+)(\d+)/g)) {
    let x = 0;
    for (const c of letters) x = x * 26 + c.charCodeAt(0) - 96;
    list.push({ x: x - 1, y: Number(digits) - 1 });
  }
  return list;
}

function pointName(p) {
  return (p.x < 26 ? "" : "a") + String.fromCharCode(97 + p.x % 26) + (p.y + 1);
}

// A Board is an SVG of a board with stones.
class Board {
  constructor(width, height) {
    const u = this.unit = 32;
    const lines = [];
    for (let x = 1; x <= width; x++) lines.push(`M${x * u} ${u}V${height * u}`);
    for (let y = 1; y <= height; y++) lines.push(`M${u} ${y * u}H${width * u}`);
    this.svg = s("svg", { viewBox: `-4 -4 ${(width + 1) * u} ${(height + 1) * u}`, "aria-hidden": "true" },
      s("path", { class: "lines", d: lines.join("") }));
    const edge = width >= 13 ? 3 : 2;
    const stars = width % 2 && height % 2 && width >= 9 && height >= 9 ? [[edge, edge], [width - 1 - edge, edge], [edge, height - 1 - edge], [width - 1 - edge, height - 1 - edge], [(width - 1) / 2, (height - 1) / 2]] : [];
    for (const [x, y] of stars) this.svg.append(s("circle", { class: "star", cx: (x + 1) * u, cy: (y + 1) * u, r: 3 }));
    for (let x = 0; x < width; x++) this.svg.append(s("text", { class: "coord", x: (x + 1) * u, y: u * 0.3 }, pointName({ x, y: 0 }).slice(0, -1)));
    for (let y = 0; y < height; y++) this.svg.append(s("text", { class: "coord", x: u * 0.25, y: (y + 1) * u }, String(y + 1)));
    this.stones = s("g", { class: "stones" });
    this.svg.append(this.stones);
  }

  // draw shows stones: points with a text and classes, black or white and
  // opening, five, last or ghost.
  draw(stones) {
    const u = this.unit;
    this.stones.replaceChildren(...stones.map(({ x, y, text, classes }) => s("g", { class: classes },
      s("circle", { cx: (x + 1) * u, cy: (y + 1) * u, r: u * 0.46 }),
      s("text", { x: (x + 1) * u, y: (y + 1) * u + 0.5, class: text.length > 2 ? "long" : "" }, text))));
  }

  // side is -1 for an event in the left half of the board and 1 in the right one.
  side(event) {
    const box = this.svg.getBoundingClientRect();
    return event.clientX < box.left + box.width / 2 ? -1 : 1;
  }
}
