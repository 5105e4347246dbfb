module.exports = { match: ["**/test/**/*.test.js"] };
