package mpi.front.objects;

/**
 * Classes of libraries by which a message that is read can make a program run code of the sender's choice. Chains of
 * ysoserial and their kin go through these. They are refused wherever they are on the class path.
 */
public final class KnownGadgets {
    /** Beginnings of class names. Those that end with a dot are packages with all below. */
    private static final String[] NAMES = {
        // Apache Commons
        "org.apache.commons.collections.functors.", "org.apache.commons.collections4.functors.",
        "org.apache.commons.collections.keyvalue.TiedMapEntry", "org.apache.commons.collections4.keyvalue.TiedMapEntry",
        "org.apache.commons.collections.map.LazyMap", "org.apache.commons.collections4.map.LazyMap",
        "org.apache.commons.collections.map.LazySortedMap", "org.apache.commons.collections4.map.LazySortedMap",
        "org.apache.commons.collections.map.DefaultedMap", "org.apache.commons.collections4.map.DefaultedMap",
        "org.apache.commons.collections.map.TransformedMap", "org.apache.commons.collections4.map.TransformedMap",
        "org.apache.commons.collections.comparators.TransformingComparator",
        "org.apache.commons.collections4.comparators.TransformingComparator",
        "org.apache.commons.beanutils.BeanComparator", "org.apache.commons.beanutils2.BeanComparator",
        "org.apache.commons.configuration.", "org.apache.commons.configuration2.", "org.apache.commons.fileupload.",
        "org.apache.commons.fileupload2.", "org.apache.commons.dbcp.", "org.apache.commons.dbcp2.",
        // other libraries of Apache
        "org.apache.click.control.", "org.apache.ibatis.executor.loader.", "org.apache.myfaces.", "org.apache.naming.",
        "org.apache.openjpa.ee.", "org.apache.tomcat.dbcp.", "org.apache.wicket.util.upload.", "org.apache.xalan.",
        "org.apache.xbean.naming.",
        // languages
        "bsh.", "clojure.core$", "clojure.inspector.", "clojure.main$", "groovy.util.Expando",
        "org.codehaus.groovy.runtime.", "org.mozilla.javascript.", "org.python.core.PyFunction",
        "org.python.core.PyMethod", "javassist.util.proxy.", "net.sf.cglib.proxy.", "org.aspectj.weaver.tools.cache.",
        // frameworks and databases
        "org.springframework.aop.", "org.springframework.beans.factory.",
        "org.springframework.core.SerializableTypeWrapper", "org.springframework.jndi.",
        "org.springframework.transaction.jta.", "org.hibernate.engine.spi.TypedValue", "org.hibernate.jmx.",
        "org.hibernate.property.", "org.hibernate.tuple.", "org.hibernate.type.ComponentType",
        "com.sun.syndication.feed.impl.", "com.rometools.rome.feed.impl.", "com.mchange.", "com.zaxxer.hikari.",
        "org.jboss.interceptor.", "org.jboss.weld.", "com.vaadin.data.util.", "net.sf.json.",
        "com.alibaba.fastjson.JSON", "com.alibaba.fastjson2.JSON", "com.alibaba.druid.pool.",
        "com.fasterxml.jackson.databind.node.POJONode", "com.caucho.naming.", "com.sun.faces.", "com.sun.rowset.",
        "com.sun.org.apache.xalan.", "com.tangosol.", "com.bea.", "weblogic.", "oracle.jdbc.", "oracle.ucp.",
        "ch.qos.logback.core.db."};

    private KnownGadgets() {
    }

    public static boolean has(String name) {
        for (String each : NAMES) {
            if (name.startsWith(each)) {
                return true;
            }
        }
        return false;
    }
}
