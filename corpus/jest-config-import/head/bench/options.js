module.exports = { match: ["**/test/fake.test.js"] };
