// Sets the tables that `pdf_pages_libraries.py --make FOLDER` left for Node.js, by jsPDF with AutoTable and by pdfmake:
//     node pdf_pages_libraries.js FOLDER NODE_MODULES
const fs = require("fs");
const path = require("path");

const [folder, modules] = process.argv.slice(2).map((given) => path.resolve(given));
const tables = JSON.parse(fs.readFileSync(path.join(folder, "tables.json"), "utf8"));
const before = "The table shows what was ordered in this month by all of the sites.";
const after = "All amounts are in thousands.";
const figures = (kind) => "idp".includes(kind);

function byJsPdf({ rows, kinds }, theme, file) {
  const { jsPDF } = require(path.join(modules, "jspdf"));
  const loaded = require(path.join(modules, "jspdf-autotable"));
  const autoTable = loaded.default || loaded.autoTable;
  const doc = new jsPDF();
  const foot = rows[rows.length - 1][0] === "Total" ? [rows[rows.length - 1]] : undefined;
  const columns = {};
  [...kinds].forEach((kind, at) => { if (figures(kind)) columns[at] = { halign: "right" }; });
  doc.setFontSize(10);
  doc.text(before, 14, 28);
  const body = rows.slice(1, foot ? -1 : undefined);
  autoTable(doc, { theme, startY: 36, head: [rows[0]], body, foot, showFoot: "lastPage", columnStyles: columns });
  doc.text(after, 14, Math.min(doc.lastAutoTable.finalY + 10, 285));
  fs.writeFileSync(file, Buffer.from(doc.output("arraybuffer")));
}

async function byPdfmake({ rows, kinds }, look, file) {
  const pdfmake = require(path.join(modules, "pdfmake"));
  pdfmake.setFonts({ Helvetica: { normal: "Helvetica", bold: "Helvetica-Bold" } });
  const body = rows.map((row, at) => row.map((text, column) => (
    { text, bold: at === 0, alignment: figures(kinds[column]) ? "right" : "left" })));
  const zebra = {
    fillColor: (row) => (row === 0 ? "#336699" : row % 2 ? null : "#cccccc"), hLineWidth: () => 0, vLineWidth: () => 0,
  };
  const table = { headerRows: 1, widths: [...kinds].map((_, at) => (at ? "auto" : "*")), body };
  const layout = look === "default" ? undefined : look === "zebra" ? zebra : look;
  const content = [before, { layout, table, margin: [0, 8, 0, 8] }, after];
  const made = pdfmake.createPdf({ defaultStyle: { font: "Helvetica", fontSize: 10 }, content });
  fs.writeFileSync(file, await made.getBuffer());
}

(async () => {
  for (const [name, table] of Object.entries(tables)) {
    const [program, look] = name.split("-");
    const file = path.join(folder, `${name}.pdf`);
    if (program !== "node") continue;
    if (["striped", "grid", "plain"].includes(look)) byJsPdf(table, look, file);
    else await byPdfmake(table, look, file);
  }
})();
